package dev.keelson.controller.volume;

import dev.keelson.api.LabelSelector;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Chooses the volume of a claim (source: {@code component-helpers/storage/volume} and {@code
 * pkg/controller/volume/persistentvolume/index.go}).
 */
public final class VolumeMatch {

  private VolumeMatch() {}

  /**
   * The best volume of a claim: one that is reserved for it, else the smallest of those with the
   * fewest access modes.
   *
   * @param free which volumes without a claim may be taken; those of claims that wait for their
   *     first consumer are taken on its node only
   */
  static Optional<VolumeFacts> best(
      ClaimState claim, Collection<VolumeFacts> volumes, Predicate<VolumeFacts> free) {
    Map<Integer, List<VolumeFacts>> byModes =
        volumes.stream()
            .filter(each -> each.accessModes().containsAll(claim.traits().accessModes()))
            .filter(each -> !each.deleting() && each.holds(claim))
            .filter(each -> each.claim() == null || each.isFor(claim))
            .collect(
                Collectors.groupingBy(
                    each -> each.accessModes().size(), TreeMap::new, Collectors.toList()));
    for (List<VolumeFacts> candidates : byModes.values()) {
      Optional<VolumeFacts> found =
          candidates.stream()
              .filter(each -> each.isFor(claim))
              .findFirst()
              .or(
                  () ->
                      candidates.stream()
                          .filter(each -> isFree(claim, each) && free.test(each))
                          .min(
                              Comparator.comparing((VolumeFacts each) -> each.traits().size())
                                  .thenComparing(VolumeFacts::name)));
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** The volumes that a claim which waits for its first consumer could be given. */
  public static List<VolumeFacts> candidates(ClaimState claim, Collection<VolumeFacts> volumes) {
    return volumes.stream()
        .filter(each -> each.accessModes().containsAll(claim.traits().accessModes()))
        .filter(each -> !each.deleting() && each.holds(claim))
        .filter(each -> each.isFor(claim) || (each.claim() == null && isFree(claim, each)))
        .toList();
  }

  private static boolean isFree(ClaimState claim, VolumeFacts volume) {
    LabelSelector selector = claim.selector();
    return volume.phase().equals("Available")
        && (selector == null || selector.matches(volume.labels()))
        && volume.traits().storageClass().equals(claim.traits().storageClass())
        && volume.traits().attributesClass().equals(claim.traits().attributesClass());
  }

  /** Why the volume that a claim names does not fit; empty if it does. */
  static String mismatch(ClaimState claim, VolumeFacts volume) {
    if (volume.deleting()) {
      return "the volume is marked for deletion \"" + volume.name() + "\"";
    }
    if (volume.traits().size().compareTo(claim.traits().size()) < 0) {
      return "requested PV is too small";
    }
    if (!volume.traits().storageClass().equals(claim.traits().storageClass())) {
      return "storageClassName does not match";
    }
    if (!volume.traits().attributesClass().equals(claim.traits().attributesClass())) {
      return "volumeAttributesClassName does not match";
    }
    if (!volume.traits().mode().equals(claim.traits().mode())) {
      return "incompatible volumeMode";
    }
    if (!volume.accessModes().containsAll(claim.traits().accessModes())) {
      return "incompatible accessMode";
    }
    return "";
  }
}
