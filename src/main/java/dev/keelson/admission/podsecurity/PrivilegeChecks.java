package dev.keelson.admission.podsecurity;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Checks of what processes may do: privileges, capabilities, users, the mount of /proc. */
final class PrivilegeChecks {

  private static final Set<String> DEFAULT_CAPABILITIES =
      Set.of(
          "AUDIT_WRITE",
          "CHOWN",
          "DAC_OVERRIDE",
          "FOWNER",
          "FSETID",
          "KILL",
          "MKNOD",
          "NET_BIND_SERVICE",
          "SETFCAP",
          "SETGID",
          "SETPCAP",
          "SETUID",
          "SYS_CHROOT");
  private static final Set<String> RESTRICTED_CAPABILITIES = Set.of("NET_BIND_SERVICE");
  private static final Node ALL = Node.text("ALL");

  private PrivilegeChecks() {}

  static Optional<Violation> privileged(PodTemplate pod) {
    List<String> names = pod.containersWith(context -> context.get("privileged") == Node.Bool.TRUE);
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "privileged",
                Phrases.containers(names) + " must not set securityContext.privileged=true"));
  }

  static Optional<Violation> escalation(PodTemplate pod) {
    List<String> names =
        pod.containersWith(context -> context.get("allowPrivilegeEscalation") != Node.Bool.FALSE);
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "allowPrivilegeEscalation != false",
                Phrases.containers(names)
                    + " must set securityContext.allowPrivilegeEscalation=false"));
  }

  static Optional<Violation> procMount(PodTemplate pod) {
    SortedSet<String> types = new TreeSet<>();
    List<String> names = pod.containersWith(context -> unmasks(context, types));
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "procMount",
                Phrases.containers(names)
                    + " must not set securityContext.procMount to "
                    + Phrases.quoted(types)));
  }

  /** Whether a container has a mount of another type than the default, which goes to types. */
  private static boolean unmasks(MapNode context, Set<String> types) {
    if (!context.has("procMount") || context.text("procMount").equals("Default")) {
      return false;
    }
    types.add(context.text("procMount"));
    return true;
  }

  static Optional<Violation> capabilities(PodTemplate pod) {
    SortedSet<String> added = new TreeSet<>();
    List<String> names = pod.containersWith(context -> adds(context, DEFAULT_CAPABILITIES, added));
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(new Violation("non-default capabilities", mustNotAdd(names, added)));
  }

  static Optional<Violation> restrictedCapabilities(PodTemplate pod) {
    List<String> details = new ArrayList<>();
    List<String> keeping =
        pod.containersWith(context -> !context.map("capabilities").items("drop").contains(ALL));
    if (!keeping.isEmpty()) {
      details.add(
          Phrases.containers(keeping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
    }
    SortedSet<String> added = new TreeSet<>();
    List<String> adding =
        pod.containersWith(context -> adds(context, RESTRICTED_CAPABILITIES, added));
    if (!adding.isEmpty()) {
      details.add(mustNotAdd(adding, added));
    }
    return details.isEmpty()
        ? Optional.empty()
        : Optional.of(new Violation("unrestricted capabilities", String.join("; ", details)));
  }

  private static String mustNotAdd(List<String> names, Set<String> added) {
    return Phrases.containers(names)
        + " must not include "
        + Phrases.quoted(added)
        + " in securityContext.capabilities.add";
  }

  /** Whether a container adds capabilities that are not allowed, which go to {@code added}. */
  private static boolean adds(MapNode context, Set<String> allowed, Set<String> added) {
    boolean any = false;
    for (Node item : context.map("capabilities").items("add")) {
      if (item instanceof Node.Text capability && !allowed.contains(capability.value())) {
        added.add(capability.value());
        any = true;
      }
    }
    return any;
  }

  static Optional<Violation> nonRoot(PodTemplate pod) {
    Node own = pod.securityContext().get("runAsNonRoot");
    String setters =
        Phrases.setters(
            own == Node.Bool.FALSE,
            pod.containersWith(context -> context.get("runAsNonRoot") == Node.Bool.FALSE));
    if (!setters.isEmpty()) {
      return Optional.of(
          new Violation(
              "runAsNonRoot != true",
              setters + " must not set securityContext.runAsNonRoot=false"));
    }
    List<String> unset =
        own == Node.Bool.TRUE
            ? List.of()
            : pod.containersWith(context -> !context.has("runAsNonRoot"));
    return unset.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "runAsNonRoot != true",
                "pod or "
                    + Phrases.containers(unset)
                    + " must set securityContext.runAsNonRoot=true"));
  }

  static Optional<Violation> user(PodTemplate pod) {
    String setters =
        Phrases.setters(root(pod.securityContext()), pod.containersWith(PrivilegeChecks::root));
    return setters.isEmpty()
        ? Optional.empty()
        : Optional.of(new Violation("runAsUser=0", setters + " must not set runAsUser=0"));
  }

  private static boolean root(MapNode context) {
    return context.get("runAsUser") instanceof Node.Int user && user.value() == 0;
  }
}
