package dev.keelson.scheduler.volume;

import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.NameListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.controller.volume.ClaimState;
import dev.keelson.controller.volume.StorageClassFacts;
import dev.keelson.controller.volume.VolumeFacts;
import java.util.List;
import java.util.Optional;

/** What informers know of volumes. Safe for use by several threads. */
final class InformedRecords implements VolumeRecords {

  private final Informer<ClaimState> claims;
  private final Informer<VolumeFacts> volumes;
  private final Informer<StorageClassFacts> classes;
  private final Informer<CsiNode> nodes;
  private final Informer<Attachment> attachments;
  private final Informer<Boolean> drivers;
  private final Informer<StorageCapacity> capacities;

  InformedRecords(SharedInformers informers) {
    claims = informers.of(ClaimState.TYPE);
    volumes = informers.of(VolumeFacts.TYPE);
    classes = informers.of(StorageClassFacts.TYPE);
    nodes = informers.of(CsiNode.TYPE);
    attachments = informers.of(Attachment.TYPE);
    drivers = informers.of(StorageCapacity.DRIVER);
    capacities = informers.of(StorageCapacity.TYPE);
  }

  private List<Informer<?>> all() {
    return List.of(claims, volumes, classes, nodes, attachments, drivers, capacities);
  }

  void listen(Runnable changed) {
    all().forEach(informer -> listen(informer, changed));
  }

  private static <T> void listen(Informer<T> informer, Runnable changed) {
    informer.listen(NameListener.ofAny(name -> changed.run()));
  }

  void awaitSync() throws InterruptedException {
    for (Informer<?> informer : all()) {
      informer.awaitSync();
    }
  }

  @Override
  public Optional<ClaimState> claim(ObjectName name) {
    return claims.get(name);
  }

  @Override
  public Optional<VolumeFacts> volume(String name) {
    return volumes.get(new ObjectName("", name));
  }

  @Override
  public List<VolumeFacts> volumes() {
    return volumes.list();
  }

  @Override
  public Optional<StorageClassFacts> storageClass(String name) {
    return classes.get(new ObjectName("", name));
  }

  @Override
  public Optional<CsiNode> node(String name) {
    return nodes.get(new ObjectName("", name));
  }

  @Override
  public boolean tellsCapacity(String driver) {
    return drivers.get(new ObjectName("", driver)).orElse(false);
  }

  @Override
  public List<StorageCapacity> capacities() {
    return capacities.list();
  }

  @Override
  public List<Attachment> attachments(String node) {
    return attachments.by(Attachment.BY_NODE, node);
  }
}
