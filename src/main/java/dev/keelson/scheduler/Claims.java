package dev.keelson.scheduler;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.NameListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.fit.NodeSelection;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.controller.volume.ClaimState;
import dev.keelson.controller.volume.StorageClassFacts;
import dev.keelson.controller.volume.VolumeFacts;
import dev.keelson.controller.volume.VolumeMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The volumes of pods: what their claims say about nodes. */
final class Claims {

  static final GroupVersionResource RESOURCE = ClaimState.RESOURCE;

  private static final String AFFINITY = "node(s) didn't match PersistentVolume's node affinity";
  private static final String NONE_FREE =
      "node(s) didn't find available persistent volumes to bind";

  private final Informer<ClaimState> claims;
  private final Informer<VolumeFacts> volumes;
  private final Informer<StorageClassFacts> classes;

  /**
   * The nodes of a volume.
   *
   * @param refusal why others will not do
   */
  record VolumeNodes(NodeSelection nodes, String refusal) {}

  /**
   * What the claims of a pod say.
   *
   * @param refusal why no node will do; empty if one may
   * @param nodes those of each volume, bound or to be bound
   * @param unbound the names of the claims that are bound when a node is known
   */
  record Needs(String refusal, List<VolumeNodes> nodes, List<String> unbound) {
    static final Needs NONE = new Needs("", List.of(), List.of());

    static Needs refused(String why) {
      return new Needs(why, List.of(), List.of());
    }
  }

  Claims(SharedInformers informers) {
    claims = informers.of(ClaimState.TYPE);
    volumes = informers.of(VolumeFacts.TYPE);
    classes = informers.of(StorageClassFacts.TYPE);
  }

  /** Calls back after each change. */
  void listen(Runnable changed) {
    claims.listen(NameListener.ofAny(name -> changed.run()));
    volumes.listen(NameListener.ofAny(name -> changed.run()));
    classes.listen(NameListener.ofAny(name -> changed.run()));
  }

  void awaitSync() throws InterruptedException {
    claims.awaitSync();
    volumes.awaitSync();
    classes.awaitSync();
  }

  Needs of(PodView pod, Wants wants) {
    if (wants.claims().isEmpty() && wants.ephemeral().isEmpty()) {
      return Needs.NONE;
    }
    List<VolumeNodes> nodes = new ArrayList<>();
    List<String> unbound = new ArrayList<>();
    for (String name : wants.claims()) {
      ClaimState claim = claim(pod, name);
      String refusal =
          claim == null
              ? "persistentvolumeclaim \"" + name + "\" not found"
              : add(claim, nodes, unbound);
      if (!refusal.isEmpty()) {
        return Needs.refused(refusal);
      }
    }
    for (String volume : wants.ephemeral()) {
      String name = pod.name().name() + "-" + volume;
      ClaimState claim = claim(pod, name);
      if (claim == null) {
        return Needs.refused(
            "waiting for ephemeral volume controller to create the persistentvolumeclaim \""
                + name
                + "\"");
      }
      String refusal =
          claim.podUid().equals(pod.uid())
              ? add(claim, nodes, unbound)
              : "PVC %s was not created for pod %s (pod is not owner)"
                  .formatted(claim.name(), pod.name());
      if (!refusal.isEmpty()) {
        return Needs.refused(refusal);
      }
    }
    return new Needs("", nodes, unbound);
  }

  private @Nullable ClaimState claim(PodView pod, String name) {
    return claims.get(new ObjectName(pod.name().namespace(), name)).orElse(null);
  }

  /** Adds what a claim needs; returns why the pod cannot be placed, empty if it can. */
  private String add(ClaimState claim, List<VolumeNodes> nodes, List<String> unbound) {
    if (claim.deleting()) {
      return "persistentvolumeclaim \"" + claim.name().name() + "\" is being deleted";
    }
    if (!claim.volume().isEmpty() && claim.phase().equals("Bound")) {
      Optional<VolumeFacts> volume = volumes.get(new ObjectName("", claim.volume()));
      if (volume.isEmpty()) {
        return "persistentvolume \"" + claim.volume() + "\" not found";
      }
      NodeSelection selection = volume.get().nodes();
      if (selection != null) {
        nodes.add(new VolumeNodes(selection, AFFINITY));
      }
      return "";
    }
    Optional<StorageClassFacts> storageClass =
        classes.get(new ObjectName("", claim.traits().storageClass()));
    if (!claim.volume().isEmpty() || !storageClass.map(StorageClassFacts::waits).orElse(false)) {
      return "pod has unbound immediate PersistentVolumeClaims";
    }
    if (storageClass.get().isStatic()) {
      addCandidates(claim, nodes);
    }
    unbound.add(claim.name().name());
    return "";
  }

  /** The nodes on which one of the volumes is that the claim may get. */
  private void addCandidates(ClaimState claim, List<VolumeNodes> nodes) {
    List<NodeSelection.Term> terms = new ArrayList<>();
    for (VolumeFacts volume : VolumeMatch.candidates(claim, volumes.list())) {
      NodeSelection selection = volume.nodes();
      if (selection == null) {
        return;
      }
      terms.addAll(selection.terms());
    }
    nodes.add(new VolumeNodes(new NodeSelection(terms), NONE_FREE));
  }
}
