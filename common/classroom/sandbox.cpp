#include "sandbox.hpp"

namespace classroom {

std::string Sandbox::trouble() const {
    if (off_) return "";
    if (const std::string none = Cage::trouble(); !none.empty()) return none;
    const Ended tried =
        run_limited(command({"true"}, {}, {}), {{"PATH", "/usr/local/bin:/usr/bin:/bin"}}, {});
    if (tried.status == 0) return "";
    if (tried.status == 127 && tried.err.find("bwrap") != std::string::npos)
        return "Students' code runs in a sandbox, and bubblewrap is not installed. Install it: apt-get "
               "install "
               "bubblewrap. "
               "If you trust every student with the rights of this account, use --no-sandbox.";
    return "Students' code runs in a sandbox, and bubblewrap cannot create one here: " +
           course::on_one_line(tried.err) +
           ". In a container, allow it to create user namespaces. If you trust every student with the "
           "rights of this account, use --no-sandbox.";
}

std::vector<std::string> Sandbox::command(const std::vector<std::string>& inner,
                                          const std::vector<fs::path>& visible,
                                          const RunLimits& limits) const {
    if (off_) return inner;
    std::vector<std::string> words = {"bwrap",
                                      "--unshare-user",
                                      "--unshare-pid",
                                      "--unshare-net",
                                      "--unshare-ipc",
                                      "--unshare-uts",
                                      "--unshare-cgroup-try",
                                      "--die-with-parent",
                                      "--new-session",
                                      "--ro-bind",
                                      "/usr",
                                      "/usr"};
    const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
    for (const char* name : {"bin", "sbin", "lib", "lib32", "lib64"}) {
        const fs::path link = fs::path("/") / name;
        if (fs::is_symlink(link)) {
            add({"--symlink", fs::read_symlink(link), link});
        } else if (fs::exists(link)) {
            add({"--ro-bind", link, link});
        }
    }
    for (const char* file : {"/etc/alternatives", "/etc/ld.so.cache"}) add({"--ro-bind-try", file, file});
    add({"--proc", "/proc", "--dev", "/dev", "--size", std::to_string(limits.disk), "--tmpfs", "/tmp"});
    for (const fs::path& path : visible) {
        if (fs::exists(path)) add({"--ro-bind", path, path});
    }
    add({"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp", "--"});
    words.insert(words.end(), inner.begin(), inner.end());
    return words;
}

}  // namespace classroom
