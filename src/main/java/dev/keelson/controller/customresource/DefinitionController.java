package dev.keelson.controller.customresource;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceCatalog;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sets the accepted names and conditions of CustomResourceDefinitions, and removes the objects of
 * those that are being deleted (source: the controllers of Kubernetes' apiextensions-apiserver).
 * Names and Established are one write, so that a definition is served after it; there is no delay
 * for other servers. Every server runs it: a status is stored only if the definition still has the
 * resourceVersion from which it was computed.
 */
public final class DefinitionController implements QueueOwner, AutoCloseable {

  /** The resource of the definitions. */
  public static final GroupVersionResource RESOURCE = Definition.RESOURCE;

  /** The paths of the fields that {@link #changed} reads, for an excerpt of a stored definition. */
  public static final List<String> FIELDS =
      List.of(
          "metadata.name",
          "metadata.uid",
          "metadata.resourceVersion",
          "metadata.annotations",
          "metadata.finalizers",
          "metadata.deletionTimestamp",
          "spec.group",
          "spec.names",
          "spec.preserveUnknownFields",
          "status.acceptedNames",
          "status.conditions");

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** Removals of objects that run at the same time. */
  private static final int REMOVALS = 5;

  private final ResourceClient client;
  private final InstantSource clock;
  private final NameClaims claims;
  private final DefinitionStatus status;
  private final ContentRemoval removal;
  private final WorkQueue<String> work =
      new WorkQueue<>("crd_establishing", FIRST_PAUSE, LONGEST_PAUSE);
  private final WorkQueue<String> removals =
      new WorkQueue<>("crd_finalizer", FIRST_PAUSE, LONGEST_PAUSE);

  /** One worker, so that decisions on names see each other. */
  private final ControllerLoop worker =
      ControllerLoop.workers("definitions", 1, work, this::reconcile);

  private final ControllerLoop removers =
      ControllerLoop.workers("definition-removal", REMOVALS, removals, this::remove);

  /**
   * Not yet started.
   *
   * @param catalog has the definitions' resources once they are served
   * @param structure checks the schemas of definitions that may have others than structural ones
   */
  public DefinitionController(
      ResourceCatalog catalog,
      ResourceClient client,
      StructuralCheck structure,
      InstantSource clock) {
    this.client = client;
    this.clock = clock;
    claims = new NameClaims(catalog);
    status = new DefinitionStatus(structure);
    removal = new ContentRemoval(catalog, client, clock);
  }

  /**
   * Takes a definition that was listed or changed, after the catalog has taken it; does not block.
   *
   * @param definition its {@link #FIELDS}; metadata.resourceVersion must be set
   */
  public void changed(ApiObject definition) {
    Definition now = Definition.of(definition);
    @Nullable Definition before = claims.put(now).orElse(null);
    if (before != null && !before.hasClaimsOf(now)) {
      queuePending(now.group());
    }
    if (now.deleting()) {
      if (now.cleaned()) {
        removals.add(now.name());
        removers.start();
      }
    } else if (!DefinitionStatus.isSettled(now)) {
      work.add(now.name());
      worker.start();
    }
  }

  /** Takes the name of a definition that was deleted; does not block. */
  public void gone(String name) {
    claims.remove(name).ifPresent(before -> queuePending(before.group()));
  }

  /** Names may have become free for them. */
  private void queuePending(String group) {
    List<String> waiting = claims.pending(group);
    waiting.forEach(work::add);
    if (!waiting.isEmpty()) {
      worker.start();
    }
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(work, removals);
  }

  @Override
  public void close() {
    worker.close();
    removers.close();
  }

  /** Waits until nothing is left to do for a definition. */
  void join(String name) throws InterruptedException {
    work.awaitDone(name);
    removals.awaitDone(name);
  }

  private Outcome reconcile(String name) {
    @Nullable Definition definition = claims.find(name).orElse(null);
    if (definition == null || definition.deleting()) {
      return Outcome.DONE;
    }
    NameRules.Decision names = claims.decide(definition);
    if (DefinitionStatus.isCurrent(definition, names)) {
      return Outcome.DONE;
    }
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    String version = Long.toString(definition.revision());
    Optional<ApiObject> written =
        client.changeStatus(
            Definition.RESOURCE,
            "",
            name,
            object ->
                object.meta().resourceVersion().equals(version)
                    ? status.next(object, names, now)
                    : object);
    // a definition that has changed comes again through the feed; so does the written one
    written.ifPresent(this::learn);
    return Outcome.DONE;
  }

  /** The next decision sees this one even if the feed lags behind. */
  private void learn(ApiObject written) {
    Definition now = Definition.of(written);
    claims
        .putNewer(now)
        .filter(before -> !before.accepted().equals(now.accepted()))
        .ifPresent(before -> queuePending(now.group()));
  }

  private Outcome remove(String name) {
    return claims
        .find(name)
        .filter(definition -> definition.deleting() && definition.cleaned())
        .map(removal::remove)
        .orElse(Outcome.DONE);
  }
}
