package dev.keelson.scheduler.volume;

import dev.keelson.controller.fit.NodeSelection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the volumes of one pod demand of its node. */
public final class VolumeNeeds {

  /** Those of a pod without volumes. */
  public static final VolumeNeeds NONE = refused("");

  private final String refusal;
  private final List<VolumeNodes> nodes;
  private final Optional<UnboundClaims> unbound;
  private final List<ZoneRule> zones;
  private final Set<String> exclusive;
  private final Map<String, String> attachable;
  private final Optional<VolumeLimits> limits;

  /**
   * The nodes of a volume.
   *
   * @param refusal why others will not do
   */
  record VolumeNodes(NodeSelection nodes, String refusal) {}

  /**
   * What the claims of a pod say about nodes.
   *
   * @param nodes those of each volume that is bound
   * @param unbound the claims that are bound when a node is known
   * @param zones the labels of the volumes that are bound
   * @param exclusive the names of the claims that one pod of the cluster may use at a time
   */
  record Rules(
      List<VolumeNodes> nodes,
      UnboundClaims unbound,
      List<ZoneRule> zones,
      Set<String> exclusive) {}

  VolumeNeeds(Rules rules, Map<String, String> attachable, VolumeLimits limits) {
    this.refusal = "";
    this.nodes = List.copyOf(rules.nodes());
    this.unbound = Optional.of(rules.unbound());
    this.zones = List.copyOf(rules.zones());
    this.exclusive = Set.copyOf(rules.exclusive());
    this.attachable = Map.copyOf(attachable);
    this.limits = Optional.of(limits);
  }

  private VolumeNeeds(String refusal) {
    this.refusal = refusal;
    this.nodes = List.of();
    this.unbound = Optional.empty();
    this.zones = List.of();
    this.exclusive = Set.of();
    this.attachable = Map.of();
    this.limits = Optional.empty();
  }

  /** Needs that no node can meet. */
  static VolumeNeeds refused(String why) {
    return new VolumeNeeds(why);
  }

  /** Why no node will do; empty if one may. */
  public String refusal() {
    return refusal;
  }

  /** The names of the claims that are bound when a node is known. */
  public List<String> unbound() {
    return unbound.map(UnboundClaims::names).orElse(List.of());
  }

  /** Whether claims may be used by one pod of the cluster at a time. */
  public boolean areExclusive() {
    return !exclusive.isEmpty();
  }

  /** Whether a pod uses a claim that only one may use at a time. */
  public boolean areTakenBy(VolumeUser other) {
    for (String claim : other.volumes().claims()) {
      if (exclusive.contains(claim)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a node cannot attach the volumes.
   *
   * @param others the pods on the node
   */
  public boolean exceedLimits(String node, Collection<? extends VolumeUser> others) {
    return limits.isPresent() && limits.get().exceeded(node, attachable, others);
  }

  /** Why the volumes cannot be used on a node; empty if they can. */
  public String unreachable(String node, Map<String, String> labels) {
    for (VolumeNodes volume : nodes) {
      if (!volume.nodes().matches(node, labels)) {
        return volume.refusal();
      }
    }
    return unbound.map(claims -> claims.refusal(node, labels)).orElse("");
  }

  /** Whether a volume is in another zone or region than a node with these labels. */
  public boolean areElsewhere(Map<String, String> labels) {
    return !zones.isEmpty()
        && ZoneRule.isPlaced(labels)
        && !zones.stream().allMatch(rule -> rule.allows(labels));
  }
}
