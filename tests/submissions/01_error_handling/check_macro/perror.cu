// expect: wrong; task 1; cause: lacks the name
// REGION 1
    if (error) {
        char text[256];
        std::snprintf(text, sizeof text, "%s:%d: %s", file, line, expression);
        std::perror(text);
        std::exit(1);
    }
