package dev.keelson.controller.volume;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.workload.ClaimFacts;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.PodNeeds;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.util.List;

/**
 * Makes the PersistentVolumeClaims of pods' ephemeral volumes, which the garbage collector deletes
 * with the pods (source: {@code pkg/controller/volume/ephemeral}).
 */
public final class EphemeralClaims implements Controller {

  private static final String ACCOUNT = "ephemeral-volume-controller";
  private static final String COMPONENT = "ephemeral_volume";
  private static final int WORKERS = 5;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);
  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");

  private final ApiClient client;
  private final Informer<PodFacts> pods;
  private final Informer<ClaimFacts> claims;
  private final EventRecorder events;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("ephemeral_volume", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop workers =
      ControllerLoop.workers("ephemeral-volume", WORKERS, queue, this::reconcile);

  /** Not yet started. */
  public EphemeralClaims(ControllerContext context) {
    client = context.client(ACCOUNT);
    pods = context.informers().of(PodFacts.TYPE);
    claims = context.informers().of(ClaimFacts.TYPE);
    events = new EventRecorder(client, COMPONENT, context.clock(), context.nanos());
  }

  private static List<MapNode> ephemeral(ApiObject pod) {
    return pod.root().map("spec").maps("volumes").stream()
        .filter(volume -> volume.has("ephemeral"))
        .toList();
  }

  @Override
  public void start() throws InterruptedException {
    claims.awaitSync();
    events.start();
    pods.listen(new PodChanges());
    claims.listen(
        ObjectListener.ofDeletions(
            (name, claim) ->
                pods.by(PodFacts.BY_VOLUME_CLAIM, name.toString())
                    .forEach(pod -> queue.add(pod.name()))));
    pods.awaitSync();
    workers.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    workers.close();
    events.close();
  }

  private Outcome reconcile(ObjectName name) throws InterruptedException {
    ApiObject pod = client.get(PODS, name.namespace(), name.name()).orElse(null);
    if (pod == null || pod.meta().deleting()) {
      return Outcome.DONE;
    }
    for (MapNode volume : ephemeral(pod)) {
      String problem = handle(pod, volume);
      if (!problem.isEmpty()) {
        events.record(
            reference(pod),
            EventRecorder.Type.WARNING,
            "FailedBinding",
            "ephemeral volume " + volume.text("name") + ": " + problem);
        return Outcome.RETRY;
      }
    }
    return Outcome.DONE;
  }

  /** Makes the claim of a volume unless it exists; tells what is wrong, empty for nothing. */
  private String handle(ApiObject pod, MapNode volume) throws InterruptedException {
    String name = PodNeeds.volumeClaim(pod, volume);
    ApiObject known = client.get(ClaimState.RESOURCE, pod.meta().namespace(), name).orElse(null);
    if (known != null) {
      Owner owner = Owner.of(known.meta());
      return owner != null && owner.uid().equals(pod.meta().uid())
          ? ""
          : "PVC %s/%s was not created for pod %s/%s (pod is not owner)"
              .formatted(pod.meta().namespace(), name, pod.meta().namespace(), pod.meta().name());
    }
    try {
      Written unused = client.create(ClaimState.RESOURCE, claim(pod, volume, name));
      return "";
    } catch (ApiException e) {
      return "create PVC " + name + ": " + e.text();
    }
  }

  private static ApiObject claim(ApiObject pod, MapNode volume, String name) {
    MapNode template = volume.map("ephemeral").map("volumeClaimTemplate");
    MapNode.Builder metadata =
        MapNode.builder(5)
            .put("name", Node.text(name))
            .put("namespace", Node.text(pod.meta().namespace()))
            .put("ownerReferences", new Node.Items(List.of(Owner.reference(reference(pod)))));
    for (String key : List.of("annotations", "labels")) {
      Node value = template.map("metadata").get(key);
      if (value != null) {
        metadata.put(key, value);
      }
    }
    return new ApiObject(
            MapNode.of("metadata", metadata.build()).with("spec", template.map("spec")))
        .withType("v1", "PersistentVolumeClaim");
  }

  private static ObjectReference reference(ApiObject pod) {
    return ObjectReference.of("v1", "Pod", pod.meta());
  }

  private final class PodChanges implements ObjectListener<PodFacts> {

    @Override
    public void added(ObjectName name, PodFacts pod) {
      PodNeeds needs = pod.needs();
      if (needs != null && !needs.volumeClaims().isEmpty() && !pod.deleting()) {
        queue.add(name);
      }
    }

    @Override
    public void updated(ObjectName name, PodFacts before, PodFacts after) {
      // the volumes of a pod do not change
    }

    @Override
    public void deleted(ObjectName name, PodFacts last) {
      // the garbage collector deletes the claims
    }
  }
}
