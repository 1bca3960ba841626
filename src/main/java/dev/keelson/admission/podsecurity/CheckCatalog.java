package dev.keelson.admission.podsecurity;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The checks of every level and version (source: {@code policy/registry.go}). Checks run in the
 * order of their names, those of the level baseline first, which is the order of a message.
 */
final class CheckCatalog {

  /** The newest version with a check of its own; newer ones are the same. */
  static final int NEWEST = 35;

  /** The checks of each minor version, up to {@link #NEWEST}. */
  private static final List<List<Check>> BASELINE_CHECKS;

  private static final List<List<Check>> RESTRICTED_CHECKS;

  private static final Set<String> SYSCTLS_1_0 =
      Set.of(
          "kernel.shm_rmid_forced",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.tcp_syncookies",
          "net.ipv4.ping_group_range",
          "net.ipv4.ip_unprivileged_port_start");
  private static final Set<String> SYSCTLS_1_27 =
      with(SYSCTLS_1_0, "net.ipv4.ip_local_reserved_ports");
  private static final Set<String> SYSCTLS_1_29 =
      with(
          SYSCTLS_1_27,
          "net.ipv4.tcp_keepalive_time",
          "net.ipv4.tcp_fin_timeout",
          "net.ipv4.tcp_keepalive_intvl",
          "net.ipv4.tcp_keepalive_probes");
  private static final Set<String> SYSCTLS_1_32 =
      with(SYSCTLS_1_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem");
  private static final Set<String> SELINUX_1_0 =
      Set.of("container_t", "container_init_t", "container_kvm_t");
  private static final Set<String> SELINUX_1_31 = with(SELINUX_1_0, "container_engine_t");

  /**
   * A check and the versions it has.
   *
   * @param name the name, by which checks are ordered
   * @param level baseline or restricted
   * @param replaced the name of the check of the level baseline that this one replaces in
   *     restricted, or empty
   * @param versions by rising version
   */
  private record Rule(String name, Level level, String replaced, List<Version> versions) {

    /** The check of a version, or none if it began later. */
    Stream<Check> in(int minor) {
      return versions.reversed().stream()
          .filter(version -> version.since() <= minor)
          .limit(1)
          .map(Version::check);
    }

    boolean began(int minor) {
      return versions.getFirst().since() <= minor;
    }
  }

  /**
   * @param since the first minor version that the check is for
   */
  private record Version(int since, Check check) {}

  static {
    List<Rule> rules = rules();
    List<List<Check>> baseline = new ArrayList<>();
    List<List<Check>> restricted = new ArrayList<>();
    for (int minor = 0; minor <= NEWEST; minor++) {
      int version = minor;
      Set<String> replaced = new HashSet<>();
      rules.stream()
          .filter(rule -> rule.began(version))
          .forEach(rule -> replaced.add(rule.replaced));
      baseline.add(
          rules.stream()
              .filter(rule -> rule.level == Level.BASELINE)
              .flatMap(rule -> rule.in(version))
              .toList());
      restricted.add(
          rules.stream()
              .filter(rule -> !replaced.contains(rule.name))
              .flatMap(rule -> rule.in(version))
              .toList());
    }
    BASELINE_CHECKS = List.copyOf(baseline);
    RESTRICTED_CHECKS = List.copyOf(restricted);
  }

  private CheckCatalog() {}

  /** Returns what a pod violates of a level in a version. */
  static List<Violation> violations(LevelVersion policy, PodTemplate pod) {
    int minor = Math.min(policy.version().minor(), NEWEST);
    List<Check> checks =
        switch (policy.level()) {
          case PRIVILEGED -> List.of();
          case BASELINE -> BASELINE_CHECKS.get(minor);
          case RESTRICTED -> RESTRICTED_CHECKS.get(minor);
        };
    List<Violation> violations = new ArrayList<>();
    for (Check check : checks) {
      check.violation(pod).ifPresent(violations::add);
    }
    return violations;
  }

  private static List<Rule> rules() {
    Check escalation = PrivilegeChecks::escalation;
    Check capabilities = PrivilegeChecks::restrictedCapabilities;
    Check procMount = PrivilegeChecks::procMount;
    Check nonRoot = PrivilegeChecks::nonRoot;
    Check user = PrivilegeChecks::user;
    Check seccomp = ProfileChecks::restrictedSeccomp;
    return List.of(
        baseline("appArmorProfile", new Version(0, ProfileChecks::appArmor)),
        baseline("capabilities_baseline", new Version(0, PrivilegeChecks::capabilities)),
        baseline("hostNamespaces", new Version(0, HostChecks::namespaces)),
        baseline("hostPathVolumes", new Version(0, HostChecks::paths)),
        baseline("hostPorts", new Version(0, HostChecks::ports)),
        baseline("hostProbesAndHostLifecycle", new Version(34, HostChecks::probesAndLifecycle)),
        baseline("privileged", new Version(0, PrivilegeChecks::privileged)),
        baseline(
            "procMount",
            new Version(0, procMount),
            new Version(35, procMount.unless(PodTemplate::ownUserNamespace))),
        baseline(
            "seLinuxOptions",
            new Version(0, ProfileChecks.seLinux(SELINUX_1_0)),
            new Version(31, ProfileChecks.seLinux(SELINUX_1_31))),
        baseline(
            "seccompProfile_baseline",
            new Version(0, ProfileChecks::seccompAnnotations),
            new Version(19, ProfileChecks::seccomp)),
        baseline(
            "sysctls",
            new Version(0, HostChecks.sysctls(SYSCTLS_1_0)),
            new Version(27, HostChecks.sysctls(SYSCTLS_1_27)),
            new Version(29, HostChecks.sysctls(SYSCTLS_1_29)),
            new Version(32, HostChecks.sysctls(SYSCTLS_1_32))),
        baseline("windowsHostProcess", new Version(0, HostChecks::windowsProcess)),
        restricted(
            "allowPrivilegeEscalation",
            "",
            new Version(8, escalation),
            new Version(25, escalation.unless(PodTemplate::windows))),
        restricted(
            "capabilities_restricted",
            "capabilities_baseline",
            new Version(22, capabilities),
            new Version(25, capabilities.unless(PodTemplate::windows))),
        restricted("procMount_restricted", "procMount", new Version(35, procMount)),
        restricted("restrictedVolumes", "hostPathVolumes", new Version(0, VolumeChecks::types)),
        restricted(
            "runAsNonRoot",
            "",
            new Version(0, nonRoot),
            new Version(35, nonRoot.unless(PodTemplate::ownUserNamespace))),
        restricted(
            "runAsUser",
            "",
            new Version(23, user),
            new Version(35, user.unless(PodTemplate::ownUserNamespace))),
        restricted(
            "seccompProfile_restricted",
            "seccompProfile_baseline",
            new Version(19, seccomp),
            new Version(25, seccomp.unless(PodTemplate::windows))));
  }

  private static Rule baseline(String name, Version... versions) {
    return new Rule(name, Level.BASELINE, "", List.of(versions));
  }

  private static Rule restricted(String name, String replaced, Version... versions) {
    return new Rule(name, Level.RESTRICTED, replaced, List.of(versions));
  }

  private static Set<String> with(Set<String> known, String... more) {
    Set<String> all = new HashSet<>(known);
    all.addAll(List.of(more));
    return Set.copyOf(all);
  }
}
