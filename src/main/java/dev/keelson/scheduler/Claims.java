package dev.keelson.scheduler;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.fit.NodeSelection;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The volumes of pods: what their claims say about nodes. */
final class Claims {

  static final GroupVersionResource RESOURCE =
      GroupVersion.CORE_V1.resource("persistentvolumeclaims");

  private static final InformerType<Claim> CLAIMS =
      new InformerType<>(RESOURCE, Claim::of, List.of());
  private static final InformerType<Volume> VOLUMES =
      new InformerType<>(GroupVersion.CORE_V1.resource("persistentvolumes"), Volume::of, List.of());
  private static final InformerType<Binding> CLASSES =
      new InformerType<>(
          new GroupVersion("storage.k8s.io", "v1").resource("storageclasses"),
          Binding::of,
          List.of());

  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final Informer<Binding> classes;

  /** A claim; the volume is empty if it is not bound. */
  record Claim(String volume, boolean bound, boolean deleting, String storageClass) {
    static Claim of(ApiObject claim) {
      MapNode spec = claim.root().map("spec");
      return new Claim(
          spec.text("volumeName"),
          claim.root().map("status").text("phase").equals("Bound"),
          claim.meta().deleting(),
          spec.text("storageClassName"));
    }
  }

  /** A volume and the nodes that can have it; null for all. */
  record Volume(@Nullable NodeSelection nodes) {
    static Volume of(ApiObject volume) {
      MapNode affinity = volume.root().map("spec").map("nodeAffinity");
      return new Volume(
          affinity.has("required") ? NodeSelection.of(affinity.map("required")) : null);
    }
  }

  /** Whether a class binds claims when a node is known. */
  record Binding(boolean waits) {
    static Binding of(ApiObject storageClass) {
      return new Binding(
          storageClass.root().text("volumeBindingMode").equals("WaitForFirstConsumer"));
    }
  }

  /**
   * What the claims of a pod say.
   *
   * @param refusal why no node will do; empty if one may
   * @param nodes those of each bound volume
   * @param unbound the names of the claims that are bound when a node is known
   */
  record Needs(String refusal, List<NodeSelection> nodes, List<String> unbound) {
    static final Needs NONE = new Needs("", List.of(), List.of());

    static Needs refused(String why) {
      return new Needs(why, List.of(), List.of());
    }
  }

  Claims(SharedInformers informers) {
    claims = informers.of(CLAIMS);
    volumes = informers.of(VOLUMES);
    classes = informers.of(CLASSES);
  }

  /** Calls back after each change. */
  void listen(Runnable changed) {
    claims.listen(new AnyChange<>(changed));
    volumes.listen(new AnyChange<>(changed));
    classes.listen(new AnyChange<>(changed));
  }

  void awaitSync() throws InterruptedException {
    claims.awaitSync();
    volumes.awaitSync();
    classes.awaitSync();
  }

  Needs of(PodView pod, Wants wants) {
    if (wants.claims().isEmpty()) {
      return Needs.NONE;
    }
    List<NodeSelection> nodes = new ArrayList<>();
    List<String> unbound = new ArrayList<>();
    for (String name : wants.claims()) {
      Optional<Claim> found = claims.get(new ObjectName(pod.name().namespace(), name));
      if (found.isEmpty()) {
        return Needs.refused("persistentvolumeclaim \"" + name + "\" not found");
      }
      Claim claim = found.get();
      if (claim.deleting()) {
        return Needs.refused("persistentvolumeclaim \"" + name + "\" is being deleted");
      }
      if (!claim.volume().isEmpty() && claim.bound()) {
        Optional<Volume> volume = volumes.get(new ObjectName("", claim.volume()));
        if (volume.isEmpty()) {
          return Needs.refused("persistentvolume \"" + claim.volume() + "\" not found");
        }
        NodeSelection selection = volume.get().nodes();
        if (selection != null) {
          nodes.add(selection);
        }
      } else if (claim.volume().isEmpty() && waits(claim)) {
        unbound.add(name);
      } else {
        return Needs.refused("pod has unbound immediate PersistentVolumeClaims");
      }
    }
    return new Needs("", nodes, unbound);
  }

  private boolean waits(Claim claim) {
    return classes.get(new ObjectName("", claim.storageClass())).map(Binding::waits).orElse(false);
  }
}
