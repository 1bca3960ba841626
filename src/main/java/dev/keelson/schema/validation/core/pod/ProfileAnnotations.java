package dev.keelson.schema.validation.core.pod;

import dev.keelson.schema.validation.Value;

/**
 * The annotations that named the profiles of seccomp and AppArmor before there were fields for
 * them: where a pod has both, they say the same.
 */
final class ProfileAnnotations {
  private static final String SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String SECCOMP = "container.seccomp.security.alpha.kubernetes.io/";
  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
  private static final String[] CONTAINERS = {
    "initContainers", "containers", "ephemeralContainers"
  };

  private ProfileAnnotations() {}

  /** Requires the annotations of a pod or a pod template to match the fields of its spec. */
  static void validateProfileAnnotations(Value annotations, Value spec) {
    if (annotations.size() == 0) {
      return;
    }
    seccomp(annotations.key(SECCOMP_POD), spec.get("securityContext", "seccompProfile"));
    for (String list : CONTAINERS) {
      for (Value container : spec.get(list)) {
        String name = container.get("name").text();
        seccomp(
            annotations.key(SECCOMP + name), container.get("securityContext", "seccompProfile"));
      }
    }
    if (!spec.get("os", "name").is("windows")) {
      appArmor(annotations, spec);
    }
  }

  private static void seccomp(Value annotation, Value profile) {
    if (annotation.absent() || profile.absent()) {
      return;
    }
    String text = annotation.text();
    boolean sameType =
        switch (profile.get("type").text()) {
          case "Unconfined" -> text.equals("unconfined");
          case "RuntimeDefault" -> text.equals("runtime/default") || text.equals("docker/default");
          case "Localhost" -> text.startsWith("localhost/");
          default -> true;
        };
    compare(sameType, text, profile, profile, "seccomp");
  }

  private static void appArmor(Value annotations, Value spec) {
    Value ofPod = spec.get("securityContext", "appArmorProfile");
    for (String list : CONTAINERS) {
      for (Value container : spec.get(list)) {
        Value own = container.get("securityContext", "appArmorProfile");
        Value annotation = annotations.key(APP_ARMOR + container.get("name").text());
        Value profile = own.present() ? own : own.holding(ofPod.node());
        if (annotation.absent() || profile.absent()) {
          continue;
        }
        String text = annotation.text();
        boolean sameType =
            switch (profile.get("type").text()) {
              case "Unconfined" -> text.equals("unconfined");
              case "RuntimeDefault" -> text.equals("runtime/default");
              case "Localhost" -> text.startsWith("localhost/");
              default -> true;
            };
        compare(sameType, text, profile, own, "apparmor");
      }
    }
  }

  private static void compare(
      boolean sameType, String annotation, Value profile, Value shownAt, String what) {
    if (!sameType) {
      shownAt.get("type").forbidden(what + " type in annotation and field must match");
    } else if (profile.get("type").is("Localhost")
        && (profile.get("localhostProfile").absent()
            || !annotation.equals("localhost/" + profile.get("localhostProfile").text()))) {
      shownAt
          .get("localhostProfile")
          .forbidden(what + " profile in annotation and field must match");
    }
  }
}
