package dev.keelson.scheduler.volume;

import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.volume.ClaimState;
import dev.keelson.controller.volume.StorageClassFacts;
import dev.keelson.controller.volume.VolumeFacts;
import dev.keelson.object.ApiObject;
import dev.keelson.testing.CustomTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Objects of a test, written as JSON with single quotes. */
final class KnownVolumes implements VolumeRecords {

  private final Map<ObjectName, ClaimState> claims = new HashMap<>();
  private final Map<String, VolumeFacts> volumes = new HashMap<>();
  private final Map<String, StorageClassFacts> classes = new HashMap<>();
  private final Map<String, CsiNode> nodes = new HashMap<>();
  private final List<Attachment> attachments = new ArrayList<>();
  private final List<StorageCapacity> capacities = new ArrayList<>();
  private final Set<String> tracked = new HashSet<>();

  /** A pod of a test. */
  record Pod(ObjectName name, String uid, PodVolumes volumes) implements VolumeUser {}

  private static ApiObject object(String text) {
    return new ApiObject(CustomTypes.tree(text));
  }

  /** A pod in the namespace default, whose uid is its name. */
  static Pod pod(String name, String volumes) {
    return new Pod(
        new ObjectName("default", name),
        name,
        PodVolumes.of(CustomTypes.tree("{'volumes':[" + volumes + "]}"), name));
  }

  /** The entry of a pod for a claim. */
  static String use(String claim) {
    return "{'name':'%s','persistentVolumeClaim':{'claimName':'%s'}}".formatted(claim, claim);
  }

  void claim(String name, String metadata, String spec) {
    ClaimState claim =
        ClaimState.of(
            object(
                "{'metadata':{'name':'%s','namespace':'default'%s},'spec':{%s},'status':{'phase':'%s'}}"
                    .formatted(
                        name, metadata, spec, spec.contains("volumeName") ? "Bound" : "Pending")));
    claims.put(claim.name(), claim);
  }

  void volume(String name, String metadata, String spec) {
    volumes.put(
        name,
        VolumeFacts.of(
            object(
                "{'metadata':{'name':'%s'%s},'spec':{%s},'status':{'phase':'Available'}}"
                    .formatted(name, metadata, spec))));
  }

  void storageClass(String name, String provisioner, String mode) {
    storageClass(name, provisioner, mode, "");
  }

  void storageClass(String name, String provisioner, String mode, String topologies) {
    classes.put(
        name,
        StorageClassFacts.of(
            object(
                ("{'metadata':{'name':'%s','creationTimestamp':'2026-01-01T00:00:00Z'},"
                        + "'provisioner':'%s','volumeBindingMode':'%s','allowedTopologies':[%s]}")
                    .formatted(name, provisioner, mode, topologies))));
  }

  void node(String name, String drivers) {
    nodes.put(name, CsiNode.of(object("{'spec':{'drivers':[" + drivers + "]}}")));
  }

  void attach(String node, String attacher, String volume) {
    attachments.add(new Attachment(node, attacher, volume));
  }

  /** How much a driver has for volumes of a class in a zone. */
  void capacity(String storageClass, String zone, String amounts) {
    capacities.add(
        StorageCapacity.of(
            object(
                "{'storageClassName':'%s','nodeTopology':{'matchLabels':{'zone':'%s'}},%s}"
                    .formatted(storageClass, zone, amounts))));
  }

  void tracked(String driver) {
    tracked.add(driver);
  }

  @Override
  public boolean tellsCapacity(String driver) {
    return tracked.contains(driver);
  }

  @Override
  public List<StorageCapacity> capacities() {
    return capacities;
  }

  @Override
  public Optional<ClaimState> claim(ObjectName name) {
    return Optional.ofNullable(claims.get(name));
  }

  @Override
  public Optional<VolumeFacts> volume(String name) {
    return Optional.ofNullable(volumes.get(name));
  }

  @Override
  public List<VolumeFacts> volumes() {
    return List.copyOf(volumes.values());
  }

  @Override
  public Optional<StorageClassFacts> storageClass(String name) {
    return Optional.ofNullable(classes.get(name));
  }

  @Override
  public Optional<CsiNode> node(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  @Override
  public List<Attachment> attachments(String node) {
    return attachments.stream().filter(each -> each.node().equals(node)).toList();
  }
}
