package dev.keelson.scheduler.volume;

import dev.keelson.controller.fit.NodeSelection;
import dev.keelson.controller.volume.ClaimState;
import dev.keelson.controller.volume.StorageClassFacts;
import dev.keelson.controller.volume.VolumeFacts;
import dev.keelson.controller.volume.VolumeMatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a pod that are bound when its node is known (source: {@code
 * volumebinding/binder.go}): on a node each must get a volume of its own that exists, or one that
 * its provisioner can make there.
 */
final class UnboundClaims {

  private static final String NONE_FREE =
      "node(s) didn't find available persistent volumes to bind";
  private static final String NO_SPACE = "node(s) did not have enough free storage";

  private final VolumeRecords records;
  private final List<Unbound> claims = new ArrayList<>();

  /**
   * A claim.
   *
   * @param candidates the volumes that it could be given, the smallest first
   */
  private record Unbound(ClaimState claim, StorageClassFacts type, List<VolumeFacts> candidates) {

    /** Whether its node has been chosen already. */
    boolean isForAnother(String node) {
      return !claim.selectedNode().isEmpty() && !claim.selectedNode().equals(node);
    }
  }

  UnboundClaims(VolumeRecords records) {
    this.records = records;
  }

  void add(ClaimState claim, StorageClassFacts type) {
    // for one whose node is chosen a volume is being made
    boolean takesExisting = type.isStatic() || claim.selectedNode().isEmpty();
    List<VolumeFacts> candidates =
        takesExisting
            ? VolumeMatch.candidates(claim, records.volumes()).stream()
                .sorted(Comparator.comparing((VolumeFacts each) -> each.traits().size()))
                .toList()
            : List.of();
    claims.add(new Unbound(claim, type, candidates));
    claims.sort(Comparator.comparing((Unbound each) -> each.claim().traits().size()));
  }

  /** The names of the claims. */
  List<String> names() {
    return claims.stream().map(each -> each.claim().name().name()).toList();
  }

  /** Why not all can get a volume on a node; empty if they can. */
  String refusal(String node, Map<String, String> labels) {
    Set<String> chosen = new HashSet<>();
    for (Unbound each : claims) {
      if (each.isForAnother(node)) {
        return NONE_FREE;
      }
      VolumeFacts volume = existing(each, node, labels, chosen);
      if (volume != null) {
        chosen.add(volume.name());
      } else if (each.type().isStatic() || !each.type().topology().allows(labels)) {
        return NONE_FREE;
      } else if (!hasSpace(each, labels)) {
        return NO_SPACE;
      }
    }
    return "";
  }

  private static @Nullable VolumeFacts existing(
      Unbound claim, String node, Map<String, String> labels, Set<String> chosen) {
    for (VolumeFacts volume : claim.candidates()) {
      NodeSelection nodes = volume.nodes();
      if (!chosen.contains(volume.name()) && (nodes == null || nodes.matches(node, labels))) {
        return volume;
      }
    }
    return null;
  }

  private boolean hasSpace(Unbound each, Map<String, String> labels) {
    return !records.tellsCapacity(each.type().provisioner())
        || records.capacities().stream()
            .anyMatch(
                capacity -> capacity.has(each.type().name(), each.claim().traits().size(), labels));
  }
}
