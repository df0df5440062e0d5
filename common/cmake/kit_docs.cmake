# The site: Doxygen over the headers, contracts and lecture notes.
