// expect: right
// REGION 3
    for (std::size_t i = 0; i < text.size(); ++i) {
        switch (text[i]) {
            case '<': out.append("&lt;"); break;
            case '>': out.append("&gt;"); break;
            case '&': out.append("&amp;"); break;
            default: out.push_back(text[i]);
        }
    }
