package dev.keelson.controller.resourceclaim;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.PodNeeds;
import java.time.Duration;
import java.util.List;

/**
 * Makes ResourceClaims of templates for pods, and takes reservations and allocations back when pods
 * have ended (source: {@code pkg/controller/resourceclaim}). Pods without claims cost nothing.
 */
public final class ResourceClaimController implements Controller {

  private static final String ACCOUNT = "resource-claim-controller";
  private static final String COMPONENT = "resource_claim";

  /** As kube-controller-manager. */
  private static final int WORKERS = 10;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);

  /** Only that there is one matters. */
  private static final InformerType<Boolean> TEMPLATES =
      new InformerType<>(PodClaimSync.TEMPLATES, template -> Boolean.TRUE, List.of());

  private final Informer<PodFacts> pods;
  private final Informer<ResourceClaimFacts> claims;
  private final Informer<Boolean> templates;
  private final EventRecorder events;
  private final PodClaimSync podSync;
  private final ReservationSync reservations;
  private final WorkQueue<Item> queue =
      new WorkQueue<>("resource_claim", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop workers =
      ControllerLoop.workers("resource-claim", WORKERS, queue, this::reconcile);

  private enum Kind {
    POD,
    CLAIM
  }

  private record Item(Kind kind, ObjectName name) {}

  /** Not yet started. */
  public ResourceClaimController(ControllerContext context) {
    ApiClient client = context.client(ACCOUNT);
    pods = context.informers().of(PodFacts.TYPE);
    claims = context.informers().of(ResourceClaimFacts.TYPE);
    templates = context.informers().of(TEMPLATES);
    events = new EventRecorder(client, COMPONENT, context.clock(), context.nanos());
    podSync = new PodClaimSync(client, context.ownClient(), claims, events);
    reservations = new ReservationSync(client);
  }

  @Override
  public void start() throws InterruptedException {
    claims.awaitSync();
    pods.awaitSync();
    events.start();
    pods.listen(new PodChanges());
    claims.listen(new ClaimChanges());
    templates.listen(new TemplateChanges());
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

  private Outcome reconcile(Item item) throws InterruptedException {
    try {
      return switch (item.kind()) {
        case POD -> podSync.sync(item.name());
        case CLAIM -> reservations.sync(item.name());
      };
    } catch (ApiException e) {
      if (e.reason() == Reason.CONFLICT || e.reason() == Reason.NOT_FOUND) {
        // changed meanwhile: the stored state decides
        return Outcome.RETRY;
      }
      throw e;
    }
  }

  /** Whether no container of a pod runs or will run. */
  private static boolean isDone(PodFacts pod) {
    return pod.ended() || (pod.deleting() && pod.node().isEmpty());
  }

  private final class PodChanges implements ObjectListener<PodFacts> {

    @Override
    public void added(ObjectName name, PodFacts pod) {
      PodNeeds needs = pod.needs();
      if (needs == null) {
        return;
      }
      if (isDone(pod)) {
        queueClaims(pod, needs);
      } else if (needs.dynamic()) {
        queue.add(new Item(Kind.POD, name));
      }
    }

    @Override
    public void updated(ObjectName name, PodFacts before, PodFacts after) {
      if (after.needs() != null && !before.equals(after)) {
        added(name, after);
      }
    }

    @Override
    public void deleted(ObjectName name, PodFacts last) {
      PodNeeds needs = last.needs();
      if (needs != null) {
        queueClaims(last, needs);
      }
    }

    private void queueClaims(PodFacts pod, PodNeeds needs) {
      needs
          .resourceClaims()
          .forEach(
              claim ->
                  queue.add(new Item(Kind.CLAIM, new ObjectName(pod.name().namespace(), claim))));
    }
  }

  private final class ClaimChanges implements ObjectListener<ResourceClaimFacts> {

    @Override
    public void added(ObjectName name, ResourceClaimFacts claim) {
      queue.add(new Item(Kind.CLAIM, name));
      queuePods(name);
    }

    @Override
    public void updated(ObjectName name, ResourceClaimFacts before, ResourceClaimFacts after) {
      if (!before.version().equals(after.version())) {
        added(name, after);
      }
    }

    @Override
    public void deleted(ObjectName name, ResourceClaimFacts last) {
      queuePods(name);
    }

    /** A claim that was deleted is made again, one that was allocated is reserved. */
    private void queuePods(ObjectName claim) {
      for (PodFacts pod : pods.by(PodFacts.BY_RESOURCE_CLAIM, claim.toString())) {
        if (!isDone(pod)) {
          queue.add(new Item(Kind.POD, pod.name()));
        }
      }
    }
  }

  private final class TemplateChanges implements ObjectListener<Boolean> {

    /** Pods that came before their template wait for it. */
    @Override
    public void added(ObjectName name, Boolean template) {
      for (PodFacts pod : pods.list(name.namespace())) {
        PodNeeds needs = pod.needs();
        if (needs != null && needs.dynamic() && !isDone(pod)) {
          queue.add(new Item(Kind.POD, pod.name()));
        }
      }
    }

    @Override
    public void updated(ObjectName name, Boolean before, Boolean after) {
      // claims are as their templates were
    }

    @Override
    public void deleted(ObjectName name, Boolean last) {
      // the claims stay
    }
  }
}
