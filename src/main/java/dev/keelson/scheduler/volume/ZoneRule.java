package dev.keelson.scheduler.volume;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A label of a volume that says where it can be used (source: kube-scheduler's plug-in VolumeZone).
 *
 * @param key a label of topology
 * @param values the zones or regions
 */
record ZoneRule(String key, Set<String> values) {

  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String REGION = "topology.kubernetes.io/region";
  private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
  private static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";
  private static final List<String> KEYS = List.of(OLD_ZONE, OLD_REGION, ZONE, REGION);

  ZoneRule {
    values = Set.copyOf(values);
  }

  /** The rules of a volume; labels with an empty zone are no rules. */
  static List<ZoneRule> of(Map<String, String> labels) {
    List<ZoneRule> rules = new ArrayList<>();
    for (String key : KEYS) {
      String value = labels.get(key);
      if (value != null) {
        Set<String> zones = new HashSet<>();
        for (String zone : value.split("__", -1)) {
          zones.add(zone.strip());
        }
        if (!zones.contains("")) {
          rules.add(new ZoneRule(key, zones));
        }
      }
    }
    return rules;
  }

  /** Whether the labels of a node say where it is. */
  static boolean isPlaced(Map<String, String> nodeLabels) {
    return KEYS.stream().anyMatch(nodeLabels::containsKey);
  }

  /** Whether the volume can be used on a node. */
  boolean allows(Map<String, String> nodeLabels) {
    String zone = nodeLabels.get(key);
    if (zone == null && !key.equals(current())) {
      zone = nodeLabels.get(current());
    }
    return zone != null && values.contains(zone);
  }

  private String current() {
    return switch (key) {
      case OLD_ZONE -> ZONE;
      case OLD_REGION -> REGION;
      default -> key;
    };
  }
}
