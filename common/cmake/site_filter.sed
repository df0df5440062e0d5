# For Doxygen, which knows neither anchors of headings nor pages for sources: such links become plain text.
s/\[([^]]*)\]\(#[^)]*\)/\1/g
s/\[([^]]*)\]\(([^):]*)\.(cu|hpp|cuh|json|txt|sh)\)/\1/g
s/(\]\([^):#]*\.md)#[^)]*\)/\1)/g
