package dev.keelson.controller.volume;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.object.ApiObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Binds PersistentVolumeClaims and PersistentVolumes to each other (source: {@code
 * pkg/controller/volume/persistentvolume}). It has no volume plug-ins: volumes are made and deleted
 * by administrators and external provisioners.
 */
public final class VolumeBinder implements Controller {

  /*
   * A volume and a claim point at each other, in two writes: first the volume's claimRef, then the
   * claim's volumeName. One worker looks at both kinds, so that no two claims are given one volume;
   * it reads the stored objects, so that a late informer costs a retry and no wrong binding. Where
   * Kubernetes looks at all objects every 15 seconds, claims that wait are queued here when a
   * volume or a class changes, so that nothing happens at rest.
   */

  private static final String ACCOUNT = "persistent-volume-binder";
  private static final String COMPONENT = "persistentvolume-controller";

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

  private final ApiClient client;
  private final Informer<VolumeFacts> volumes;
  private final Informer<ClaimState> claims;
  private final Informer<StorageClassFacts> classes;
  private final EventRecorder events;
  private final ClaimSync claimSync;
  private final VolumeSync volumeSync;

  /** Claims, and volumes, whose namespace is empty. */
  private final WorkQueue<ObjectName> queue = new WorkQueue<>("claims", FIRST_PAUSE, LONGEST_PAUSE);

  private final ControllerLoop worker =
      ControllerLoop.workers("volume-binder", 1, queue, this::reconcile);

  /** Not yet started. */
  public VolumeBinder(ControllerContext context) {
    client = context.client(ACCOUNT);
    volumes = context.informers().of(VolumeFacts.TYPE);
    claims = context.informers().of(ClaimState.TYPE);
    classes = context.informers().of(StorageClassFacts.TYPE);
    events = new EventRecorder(client, COMPONENT, context.clock(), context.nanos());
    BindingWrites writes = new BindingWrites(client, events);
    claimSync = new ClaimSync(client, volumes, classes, writes);
    volumeSync = new VolumeSync(client, writes, queue::add);
  }

  @Override
  public void start() throws InterruptedException {
    volumes.awaitSync();
    claims.awaitSync();
    classes.awaitSync();
    events.start();
    volumes.listen(new VolumeChanges());
    claims.listen(new ClaimChanges());
    classes.listen(new ClassChanges());
    worker.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    worker.close();
    events.close();
  }

  private Outcome reconcile(ObjectName name) throws InterruptedException {
    boolean volume = name.namespace().isEmpty();
    Optional<ApiObject> stored =
        client.get(
            volume ? VolumeFacts.RESOURCE : ClaimState.RESOURCE, name.namespace(), name.name());
    if (stored.isEmpty()) {
      return Outcome.DONE;
    }
    try {
      return volume ? volumeSync.sync(stored.get()) : claimSync.sync(stored.get());
    } catch (ApiException e) {
      if (e.reason() == Reason.CONFLICT || e.reason() == Reason.NOT_FOUND) {
        // changed meanwhile: the stored state decides
        return Outcome.RETRY;
      }
      throw e;
    }
  }

  private void queuePending() {
    claims.by(ClaimState.BY_VOLUME, "").forEach(claim -> queue.add(claim.name()));
  }

  private final class VolumeChanges implements ObjectListener<VolumeFacts> {

    @Override
    public void added(ObjectName name, VolumeFacts volume) {
      queue.add(name);
      changed(volume);
    }

    @Override
    public void updated(ObjectName name, VolumeFacts before, VolumeFacts after) {
      if (!before.equals(after)) {
        queue.add(name);
        changed(after);
      }
    }

    @Override
    public void deleted(ObjectName name, VolumeFacts last) {
      changed(last);
    }

    private void changed(VolumeFacts volume) {
      claims.by(ClaimState.BY_VOLUME, "/" + volume.name()).forEach(each -> queue.add(each.name()));
      VolumeFacts.ClaimReference claim = volume.claim();
      if (claim != null) {
        queue.add(new ObjectName(claim.namespace(), claim.name()));
      } else if (volume.phase().equals("Available")) {
        queuePending();
      }
    }
  }

  private final class ClaimChanges implements ObjectListener<ClaimState> {

    @Override
    public void added(ObjectName name, ClaimState claim) {
      queue.add(name);
      changed(name, claim);
    }

    @Override
    public void updated(ObjectName name, ClaimState before, ClaimState after) {
      if (!before.equals(after)) {
        queue.add(name);
        changed(name, after);
      }
    }

    @Override
    public void deleted(ObjectName name, ClaimState last) {
      changed(name, last);
    }

    private void changed(ObjectName name, ClaimState claim) {
      volumes
          .by(VolumeFacts.BY_CLAIM, name.toString())
          .forEach(volume -> queue.add(new ObjectName("", volume.name())));
      if (!claim.volume().isEmpty()) {
        queue.add(new ObjectName("", claim.volume()));
      }
    }
  }

  private final class ClassChanges implements ObjectListener<StorageClassFacts> {

    @Override
    public void added(ObjectName name, StorageClassFacts storageClass) {
      queuePending();
    }

    @Override
    public void updated(ObjectName name, StorageClassFacts before, StorageClassFacts after) {
      if (!before.equals(after)) {
        queuePending();
      }
    }

    @Override
    public void deleted(ObjectName name, StorageClassFacts last) {
      // claims that wait go on waiting
    }
  }
}
