// attack: looks for the files of other students, for those of the judge, and for submissions that quote the solution
// outcome: pass
#include <dirent.h>

#include <cstdio>
#include <string>
static int found = 0;
static bool ends_with(const std::string& name, const std::string& end) {
    return name.size() > end.size() && name.substr(name.size() - end.size()) == end;
}
static void look(const std::string& folder, int depth) {
    DIR* entries = opendir(folder.c_str());
    if (!entries || depth > 9) return;
    while (const dirent* entry = readdir(entries)) {
        const std::string name = entry->d_name;
        if (name == "." || name == "..") continue;
        if (name == "ann" || name == "_test.cu" || name == "seed" || name == "students" ||
            name == "solutions" || ends_with(name, "_test.cu") || ends_with(name, ".submissions") ||
            ends_with(name, ".screens"))
            std::printf("ATTACK WORKED: %s/%s is there\n", folder.c_str(), name.c_str()), ++found;
        if (entry->d_type == DT_DIR) look(folder + "/" + name, depth + 1);
    }
    closedir(entries);
}
static void attack() {
    static bool done = false;
    if (done) return;
    done = true;
    for (const char* folder : {"/root", "/home", "/work", "/tmp", "/srv", "/mnt", "/opt", "/var", "/run"})
        look(folder, 0);
}
