package dev.keelson.scheduler;

import dev.keelson.controller.fit.HostPort;
import dev.keelson.controller.fit.Resources;
import dev.keelson.controller.fit.Taint;
import dev.keelson.controller.fit.Toleration;
import dev.keelson.scheduler.device.DeviceNeeds;
import dev.keelson.scheduler.volume.VolumeNeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whether one pod fits nodes, in the order and the words of kube-scheduler's filters. Valid until
 * the cluster changes.
 */
final class Fit {

  private static final Taint UNSCHEDULABLE =
      new Taint("node.kubernetes.io/unschedulable", "", Taint.NO_SCHEDULE);

  private final PodView pod;
  private final Wants wants;
  private final VolumeNeeds volumes;
  private final DeviceNeeds devices;

  /** Whether another pod of the cluster uses a claim that only one may use at a time. */
  private final boolean claimTaken;

  private final SpreadFit spread;
  private final NeighborFit neighbors;

  /**
   * Prepares the filters.
   *
   * @param needs what its volumes and claims demand
   * @param labelsOf the labels of a namespace
   */
  Fit(
      PodView pod,
      Wants wants,
      Needs needs,
      Cluster cluster,
      Function<String, Map<String, String>> labelsOf) {
    this.pod = pod;
    this.wants = wants;
    this.volumes = needs.volumes();
    this.devices = needs.devices();
    this.claimTaken = volumes.areExclusive() && isClaimTaken(cluster);
    this.spread = SpreadFit.of(pod, wants, cluster);
    this.neighbors = NeighborFit.of(pod, cluster, labelsOf);
  }

  Verdict on(Room room) {
    NodeView node = room.node();
    if (node.unschedulable() && !Toleration.anyTolerates(wants.tolerations(), UNSCHEDULABLE)) {
      return Verdict.never("node(s) were unschedulable");
    }
    for (Taint taint : node.taints()) {
      if (taint.repels() && !Toleration.anyTolerates(wants.tolerations(), taint)) {
        return Verdict.never("node(s) had untolerated taint(s)");
      }
    }
    if (!wants.required().matches(node.name(), node.labels())) {
      return Verdict.never("node(s) didn't match Pod's node affinity/selector");
    }
    if (portsTaken(room)) {
      return Verdict.occupied("node(s) didn't have free ports for the requested pod ports");
    }
    Verdict resources = resources(room);
    if (!resources.fits()) {
      return resources;
    }
    Verdict ofVolumes = pod.volumes().isEmpty() ? Verdict.FITS : volumes(room);
    if (!ofVolumes.fits()) {
      return ofVolumes;
    }
    Verdict spreads = spread.on(node);
    Verdict ofNeighbors = spreads.fits() ? neighbors.on(node) : spreads;
    if (!ofNeighbors.fits()) {
      return ofNeighbors;
    }
    String refused = devices.refusal(node.name(), node.labels(), node.allocatable().others());
    return refused.isEmpty() ? Verdict.FITS : Verdict.never(refused);
  }

  private boolean portsTaken(Room room) {
    if (pod.ports().isEmpty()) {
      return false;
    }
    for (PodView other : room.pods()) {
      for (HostPort taken : other.ports()) {
        for (HostPort wanted : pod.ports()) {
          if (wanted.conflicts(taken)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private Verdict volumes(Room room) {
    for (PodView other : room.pods()) {
      if (pod.volumes().conflicts(other.volumes())) {
        return Verdict.occupied("node(s) had no available disk");
      }
    }
    if (claimTaken) {
      return Verdict.occupied(
          "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access"
              + " mode");
    }
    NodeView node = room.node();
    if (volumes.exceedLimits(node.name(), room.pods())) {
      return Verdict.occupied("node(s) exceed max volume count");
    }
    String unreachable = volumes.unreachable(node.name(), node.labels());
    if (!unreachable.isEmpty()) {
      return Verdict.never(unreachable);
    }
    return volumes.areElsewhere(node.labels())
        ? Verdict.never("node(s) had no available volume zone")
        : Verdict.FITS;
  }

  private boolean isClaimTaken(Cluster cluster) {
    for (Room room : cluster.rooms()) {
      for (PodView other : room.pods()) {
        if (other.name().namespace().equals(pod.name().namespace()) && volumes.areTakenBy(other)) {
          return true;
        }
      }
    }
    return false;
  }

  private Verdict resources(Room room) {
    Resources all = room.node().allocatable();
    Resources used = room.used();
    Resources wanted = pod.requests();
    boolean forGood = room.node().pods() == 0;
    List<String> reasons = null;
    if (room.pods().size() + 1 > room.node().pods()) {
      reasons = added(reasons, "Too many pods");
    }
    if (wanted.milliCpu() > 0 && wanted.milliCpu() > all.milliCpu() - used.milliCpu()) {
      reasons = added(reasons, "Insufficient cpu");
      forGood |= wanted.milliCpu() > all.milliCpu();
    }
    if (wanted.memory() > 0 && wanted.memory() > all.memory() - used.memory()) {
      reasons = added(reasons, "Insufficient memory");
      forGood |= wanted.memory() > all.memory();
    }
    if (wanted.storage() > 0 && wanted.storage() > all.storage() - used.storage()) {
      reasons = added(reasons, "Insufficient ephemeral-storage");
      forGood |= wanted.storage() > all.storage();
    }
    for (Map.Entry<String, Long> other : wanted.others().entrySet()) {
      long most = all.others().getOrDefault(other.getKey(), 0L);
      if (most == 0 && devices.provide(other.getKey())) {
        continue;
      }
      if (other.getValue() > most - used.others().getOrDefault(other.getKey(), 0L)) {
        reasons = added(reasons, "Insufficient " + other.getKey());
        forGood |= other.getValue() > most;
      }
    }
    return reasons == null ? Verdict.FITS : new Verdict(reasons, forGood);
  }

  private static List<String> added(@Nullable List<String> reasons, String reason) {
    List<String> all = reasons == null ? new ArrayList<>() : reasons;
    all.add(reason);
    return all;
  }
}
