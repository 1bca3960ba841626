package dev.keelson.schema.validation.core.pod;

import dev.keelson.schema.validation.Value;
import java.util.function.Consumer;

/**
 * The annotations that named the profiles of seccomp and AppArmor before there were fields for
 * them: where a pod has both, they say the same.
 */
final class ProfileAnnotations {
  private static final String SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String SECCOMP = "container.seccomp.security.alpha.kubernetes.io/";
  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
  private static final String NON_FUNCTIONAL = "non-functional in v1.27+";
  private static final String[] CONTAINERS = {
    "initContainers", "containers", "ephemeralContainers"
  };

  private ProfileAnnotations() {}

  /** Warns about the annotation of a pod without the field. */
  static void warnAboutSeccomp(Value annotations, Value spec, Consumer<String> warnings) {
    warn(annotations.key(SECCOMP_POD), spec, "seccompProfile", NON_FUNCTIONAL, warnings);
  }

  /** Warns about the annotation of a container without the field. */
  static void warnAboutSeccompOf(Value container, Value annotations, Consumer<String> warnings) {
    Value annotation = annotations.key(SECCOMP + container.get("name").text());
    warn(annotation, container, "seccompProfile", NON_FUNCTIONAL, warnings);
  }

  /** Warns about annotations of AppArmor in a template without the fields. */
  static void warnAboutAppArmor(Value template, Consumer<String> warnings) {
    Value spec = template.get("spec");
    if (spec.get("securityContext", "appArmorProfile").present()) {
      return;
    }
    for (String list : CONTAINERS) {
      for (Value container : spec.get(list)) {
        warn(
            template.get("metadata", "annotations").key(APP_ARMOR + container.get("name").text()),
            container,
            "appArmorProfile",
            "deprecated since v1.30",
            warnings);
      }
    }
  }

  private static void warn(
      Value annotation, Value holder, String field, String since, Consumer<String> warnings) {
    if (annotation.present() && holder.get("securityContext", field).absent()) {
      warnings.accept(
          annotation.path() + ": " + since + "; use the \"" + field + "\" field instead");
    }
  }

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
