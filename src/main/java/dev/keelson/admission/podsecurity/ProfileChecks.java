package dev.keelson.admission.podsecurity;

import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Checks of security profiles: AppArmor, seccomp, SELinux. */
final class ProfileChecks {

  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
  private static final String SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
  static final String SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";

  private ProfileChecks() {}

  static Optional<Violation> appArmor(PodTemplate pod) {
    SortedSet<String> types = new TreeSet<>();
    boolean own = sets(pod.securityContext(), "appArmorProfile", types);
    List<String> names = pod.containersWith(context -> sets(context, "appArmorProfile", types));
    SortedSet<String> annotations = new TreeSet<>();
    pod.annotations()
        .forEach(
            (key, value) -> {
              if (key.startsWith(APP_ARMOR) && !appArmorAllowed(value)) {
                annotations.add(key + "=" + GoQuote.quote(value));
              }
            });
    List<String> setters = new ArrayList<>();
    if (own || !names.isEmpty()) {
      setters.add(Phrases.setters(own, names));
    }
    if (!annotations.isEmpty()) {
      setters.add(Phrases.plural(annotations.size(), "annotation", "annotations"));
    }
    if (setters.isEmpty()) {
      return Optional.empty();
    }
    List<String> values = new ArrayList<>(types);
    values.addAll(annotations);
    return Optional.of(
        new Violation(
            Phrases.plural(
                values.size(), "forbidden AppArmor profile", "forbidden AppArmor profiles"),
            String.join(" and ", setters)
                + " must not set AppArmor profile type to "
                + Phrases.quoted(values)));
  }

  private static boolean appArmorAllowed(String value) {
    return value.isEmpty() || value.equals("runtime/default") || value.startsWith("localhost/");
  }

  /** Whether a context has a profile of another type than allowed, which goes to {@code types}. */
  private static boolean sets(MapNode context, String field, Set<String> types) {
    if (!context.has(field)) {
      return false;
    }
    String type = context.map(field).text("type");
    if (type.equals("RuntimeDefault") || type.equals("Localhost")) {
      return false;
    }
    types.add(type);
    return true;
  }

  /** The rule before seccomp profiles were fields. */
  static Optional<Violation> seccompAnnotations(PodTemplate pod) {
    SortedSet<String> forbidden = new TreeSet<>();
    seccompAnnotation(pod, SECCOMP_POD, forbidden);
    for (MapNode container : pod.containers()) {
      seccompAnnotation(pod, SECCOMP_CONTAINER + container.text("name"), forbidden);
    }
    return forbidden.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "seccompProfile",
                "forbidden %s %s"
                    .formatted(
                        Phrases.plural(forbidden.size(), "annotation", "annotations"),
                        String.join(", ", forbidden))));
  }

  private static void seccompAnnotation(PodTemplate pod, String key, Set<String> forbidden) {
    String value = pod.annotations().get(key);
    if (value != null
        && !value.equals("runtime/default")
        && !value.equals("docker/default")
        && !value.startsWith("localhost/")) {
      forbidden.add(key + "=" + GoQuote.quote(value));
    }
  }

  static Optional<Violation> seccomp(PodTemplate pod) {
    SortedSet<String> types = new TreeSet<>();
    String setters =
        Phrases.setters(
            sets(pod.securityContext(), "seccompProfile", types),
            pod.containersWith(context -> sets(context, "seccompProfile", types)));
    return setters.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "seccompProfile",
                setters
                    + " must not set securityContext.seccompProfile.type to "
                    + Phrases.quoted(types)));
  }

  /** Requires a seccomp profile of every container. */
  static Optional<Violation> restrictedSeccomp(PodTemplate pod) {
    Optional<Violation> invalid = seccomp(pod);
    if (invalid.isPresent() || pod.securityContext().has("seccompProfile")) {
      return invalid;
    }
    List<String> unset = pod.containersWith(context -> !context.has("seccompProfile"));
    return unset.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "seccompProfile",
                "pod or "
                    + Phrases.containers(unset)
                    + " must set securityContext.seccompProfile.type to \"RuntimeDefault\" or"
                    + " \"Localhost\""));
  }

  /**
   * @param allowed the types of containers
   */
  static Check seLinux(Set<String> allowed) {
    return pod -> {
      SeLinux seen = new SeLinux(allowed);
      String setters =
          Phrases.setters(seen.violates(pod.securityContext()), pod.containersWith(seen::violates));
      return setters.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new Violation(
                  "seLinuxOptions",
                  setters
                      + " set forbidden securityContext.seLinuxOptions: "
                      + String.join("; ", seen.problems())));
    };
  }

  /** What the SELinux options of a pod violate. */
  private static final class SeLinux {
    private final Set<String> allowed;
    private final SortedSet<String> types = new TreeSet<>();
    private boolean user;
    private boolean role;

    SeLinux(Set<String> allowed) {
      this.allowed = allowed;
    }

    boolean violates(MapNode context) {
      MapNode options = context.map("seLinuxOptions");
      boolean badType = !options.text("type").isEmpty() && !allowed.contains(options.text("type"));
      if (badType) {
        types.add(options.text("type"));
      }
      boolean hasUser = !options.text("user").isEmpty();
      boolean hasRole = !options.text("role").isEmpty();
      user |= hasUser;
      role |= hasRole;
      return badType || hasUser || hasRole;
    }

    List<String> problems() {
      List<String> problems = new ArrayList<>();
      if (!types.isEmpty()) {
        problems.add(Phrases.plural(types.size(), "type", "types") + " " + Phrases.quoted(types));
      }
      if (user) {
        problems.add("user may not be set");
      }
      if (role) {
        problems.add("role may not be set");
      }
      return problems;
    }
  }
}
