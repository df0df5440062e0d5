// Tables that are made from records. Their templates are the sections of lectures/TOPIC/results/tables.md, "## NAME": a table whose
// cells hold {EXPRESSION FORM}, which becomes a number, and {? DEVICE: CONDITION}, which must hold and does not show.
#pragma once

#include "records.hpp"

namespace course {

/// "h200: ladder:v1:us > ladder:v2:us": what is wrong with it, or an empty text if it holds.
std::string complaint_of(const std::string& condition, Records& records);

class Tables {
  public:
    /// The file of templates is relative to the root. There may be no such file.
    Tables(const fs::path& root, const fs::path& file, Records& records);

    /// The table as it stands in a page. Throws Error if there is none of that name; empty if it cannot be made.
    std::string table(const std::string& name);
    /// What is wrong with the templates that were asked for, and those that no page asked for.
    Complaints complaints();

  private:
    struct Template {
        int first = 0;  ///< its line in the file
        Lines lines;
        bool used = false;
    };
    void complain(const std::string& what);
    std::string row(const std::string& line, const Lines& heading);
    std::string filled(std::string text, const std::string& device);

    fs::path file_;
    int line_ = 0;  ///< that is looked at
    Records& records_;
    std::map<std::string, Template> templates_;
    Complaints complaints_;
};

}  // namespace course
