package dev.keelson.controller.volume;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Tells who makes a volume larger when a claim asks for more: the resizer of its CSI driver, since
 * the server has no volume plug-ins (source: {@code pkg/controller/volume/expand}). For a volume of
 * a plug-in that a driver has replaced, an annotation of the claim names the driver.
 */
public final class ClaimExpansion implements Controller {

  private static final String ACCOUNT = "expand-controller";
  private static final String COMPONENT = "volume_expand";
  private static final String REASON = "ExternalExpanding";
  private static final String RESIZER = "volume.kubernetes.io/storage-resizer";
  private static final String RESIZED = "volume.alpha.kubernetes.io/pre-resize-capacity";
  private static final int WORKERS = 10;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);
  private static final GroupVersionResource CLAIMS = ClaimState.RESOURCE;

  private static final InformerType<Size> SIZES = new InformerType<>(CLAIMS, Size::of, List.of());

  /**
   * The size of a claim.
   *
   * @param bound whether it has a volume
   * @param wanted what it asks for
   * @param capacity what it has
   */
  private record Size(boolean bound, Quantity wanted, Quantity capacity) {

    static Size of(ApiObject claim) {
      MapNode status = claim.root().map("status");
      return new Size(
          status.text("phase").equals("Bound"),
          storage(claim.root().map("spec").map("resources").map("requests")),
          storage(status.map("capacity")));
    }

    private static Quantity storage(MapNode amounts) {
      return Quantity.tryParse(amounts.text("storage")).orElse(Quantity.of(0));
    }

    boolean grew(Size before) {
      return wanted.compareTo(before.wanted) > 0 || capacity.compareTo(before.capacity) > 0;
    }

    boolean isTooSmall() {
      return wanted.compareTo(capacity) > 0;
    }
  }

  private final ApiClient client;
  private final Informer<Size> claims;
  private final EventRecorder events;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("volume_expand", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop workers =
      ControllerLoop.workers("volume-expand", WORKERS, queue, this::reconcile);

  /** Not yet started. */
  public ClaimExpansion(ControllerContext context) {
    client = context.client(ACCOUNT);
    claims = context.informers().of(SIZES);
    events = new EventRecorder(client, COMPONENT, context.clock(), context.nanos());
  }

  @Override
  public void start() throws InterruptedException {
    events.start();
    claims.listen(new ClaimChanges());
    claims.awaitSync();
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
    ApiObject claim = client.get(CLAIMS, name.namespace(), name.name()).orElse(null);
    if (claim == null) {
      return Outcome.DONE;
    }
    String volumeName = claim.root().map("spec").text("volumeName");
    ApiObject volume = client.get(VolumeFacts.RESOURCE, "", volumeName).orElse(null);
    VolumeFacts.ClaimReference bound = volume == null ? null : VolumeFacts.of(volume).claim();
    if (volume == null || bound == null || !bound.uid().equals(claim.meta().uid())) {
      // not bound to each other yet
      return Outcome.RETRY;
    }
    if (Size.of(claim).isTooSmall() || volume.meta().annotations().containsKey(RESIZED)) {
      expand(claim, volume.root().map("spec"));
    }
    return Outcome.DONE;
  }

  private void expand(ApiObject claim, MapNode volume) throws InterruptedException {
    Optional<Migration.PlugIn> plugIn = Migration.plugIn(volume);
    if (plugIn.isEmpty()) {
      tell(
          claim,
          volume.has("csi") ? Type.NORMAL : Type.WARNING,
          "waiting for an external controller to expand this PVC");
      return;
    }
    tell(
        claim,
        Type.NORMAL,
        "CSI migration enabled for "
            + plugIn.get().name()
            + "; waiting for external resizer to expand the pvc");
    String driver = plugIn.get().driver();
    if (!driver.equals(claim.meta().annotations().get(RESIZER))) {
      MapNode metadata =
          MapNode.of("uid", Node.text(claim.meta().uid()))
              .with("annotations", MapNode.of(RESIZER, Node.text(driver)));
      Written unused =
          client.patch(
              CLAIMS,
              claim.meta().namespace(),
              claim.meta().name(),
              "status",
              Patch.MERGE,
              MapNode.of("metadata", metadata));
    }
  }

  private void tell(ApiObject claim, Type type, String message) {
    events.record(
        ClaimState.of(claim).reference(claim.meta().resourceVersion()), type, REASON, message);
  }

  private final class ClaimChanges implements ObjectListener<Size> {

    @Override
    public void added(ObjectName name, Size claim) {
      if (claim.bound() && claim.isTooSmall()) {
        queue.add(name);
      }
    }

    @Override
    public void updated(ObjectName name, Size before, Size after) {
      if (after.bound() && after.grew(before)) {
        queue.add(name);
      }
    }

    @Override
    public void deleted(ObjectName name, Size last) {
      // nothing to expand
    }
  }
}
