package dev.keelson.scheduler.volume;

import dev.keelson.controller.volume.CsiVolume;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The volumes of a pod that matter for its place; others, such as those of ConfigMaps, are left
 * out.
 *
 * @param claims the names of the PersistentVolumeClaims that it names
 * @param ephemeral the names of the claims that are made for its ephemeral volumes
 * @param disks the disks that it names itself
 * @param inline the same and others as their drivers name them
 */
public record PodVolumes(
    List<String> claims, List<String> ephemeral, List<Disk> disks, List<CsiVolume> inline) {

  /** No such volume. */
  public static final PodVolumes NONE = new PodVolumes(List.of(), List.of(), List.of(), List.of());

  public PodVolumes {
    claims = List.copyOf(claims);
    ephemeral = List.copyOf(ephemeral);
    disks = List.copyOf(disks);
    inline = List.copyOf(inline);
  }

  /**
   * The volumes of a pod.
   *
   * @param pod its name
   */
  public static PodVolumes of(MapNode spec, String pod) {
    List<String> claims = new ArrayList<>();
    List<String> ephemeral = new ArrayList<>();
    List<Disk> disks = new ArrayList<>();
    List<CsiVolume> inline = new ArrayList<>();
    for (MapNode volume : spec.maps("volumes")) {
      String claim = volume.map("persistentVolumeClaim").text("claimName");
      if (!claim.isEmpty()) {
        claims.add(claim);
      } else if (volume.has("ephemeral")) {
        ephemeral.add(pod + "-" + volume.text("name"));
      } else {
        Disk.of(volume).ifPresent(disks::add);
        CsiVolume named = CsiVolume.inline(volume);
        if (named != null) {
          inline.add(named);
        }
      }
    }
    return claims.isEmpty() && ephemeral.isEmpty() && disks.isEmpty() && inline.isEmpty()
        ? NONE
        : new PodVolumes(claims, ephemeral, disks, inline);
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return equals(NONE);
  }

  /** Whether some have claims. */
  public boolean hasClaims() {
    return !claims.isEmpty() || !ephemeral.isEmpty();
  }

  /** Whether two pods cannot use their disks on the same node. */
  public boolean conflicts(PodVolumes other) {
    for (Disk disk : disks) {
      for (Disk used : other.disks) {
        if (disk.conflicts(used)) {
          return true;
        }
      }
    }
    return false;
  }
}
