package dev.keelson.admission.podsecurity;

import dev.keelson.api.FieldCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the policy of a namespace from its labels. */
final class PolicyLabels {

  static final String PREFIX = "pod-security.kubernetes.io/";

  private static final String ENFORCE = PREFIX + "enforce";
  private static final String AUDIT = PREFIX + "audit";
  private static final String WARN = PREFIX + "warn";
  private static final String VERSION = "-version";

  private final Map<String, String> labels;
  private final List<FieldCause> causes = new ArrayList<>();

  private PolicyLabels(Map<String, String> labels) {
    this.labels = labels;
  }

  /**
   * The policy of labels.
   *
   * @param policy always usable: an invalid level enforces the strictest one and neither warns nor
   *     audits, an invalid version is the latest
   * @param causes the invalid labels
   */
  record Parsed(Policy policy, List<FieldCause> causes) {
    Parsed {
      causes = List.copyOf(causes);
    }

    /** The invalid labels as one message. */
    String message() {
      List<String> all = causes.stream().map(FieldCause::summary).distinct().toList();
      return all.size() == 1 ? all.getFirst() : "[" + String.join(", ", all) + "]";
    }
  }

  /** Reads {@code labels}; what they do not say is that of {@code defaults}. */
  static Parsed parse(Map<String, String> labels, Policy defaults) {
    if (labels.isEmpty()) {
      return new Parsed(defaults, List.of());
    }
    PolicyLabels reading = new PolicyLabels(labels);
    LevelVersion enforce = reading.mode(ENFORCE, defaults.enforce(), Level.RESTRICTED);
    LevelVersion audit = reading.mode(AUDIT, defaults.audit(), Level.PRIVILEGED);
    LevelVersion warn = reading.mode(WARN, defaults.warn(), Level.PRIVILEGED);
    return new Parsed(new Policy(enforce, audit, warn), reading.causes);
  }

  private LevelVersion mode(String key, LevelVersion ifUnset, Level ifInvalid) {
    LevelVersion mode = ifUnset;
    String level = labels.get(key);
    if (level != null) {
      Optional<Level> known = Level.of(level);
      if (known.isEmpty()) {
        invalid(key, level, Level.ALLOWED);
      }
      mode = mode.withLevel(known.orElse(ifInvalid));
    }
    String version = labels.get(key + VERSION);
    if (version != null) {
      Optional<PolicyVersion> known = PolicyVersion.of(version);
      if (known.isEmpty()) {
        invalid(key + VERSION, version, PolicyVersion.ALLOWED);
      }
      mode = mode.withVersion(known.orElse(PolicyVersion.LATEST));
    }
    return mode;
  }

  private void invalid(String key, String value, String allowed) {
    causes.add(FieldCause.invalid("metadata.labels[" + key + "]", value, allowed));
  }

  /**
   * The modes that labels set to a level other than privileged, for example {@code
   * enforce=baseline:latest, warn=restricted:v1.25}.
   */
  static String explicit(Map<String, String> labels, Policy policy) {
    List<String> modes = new ArrayList<>();
    explicit(labels, ENFORCE, "enforce=", policy.enforce(), modes);
    explicit(labels, AUDIT, "audit=", policy.audit(), modes);
    explicit(labels, WARN, "warn=", policy.warn(), modes);
    return String.join(", ", modes);
  }

  private static void explicit(
      Map<String, String> labels, String key, String shown, LevelVersion mode, List<String> modes) {
    if (mode.checks() && (labels.containsKey(key) || labels.containsKey(key + VERSION))) {
      modes.add(shown + mode);
    }
  }
}
