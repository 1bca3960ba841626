package dev.keelson.controller.deployment;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.PodTemplate;
import dev.keelson.controller.workload.ReplicaSetFacts;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the ReplicaSets and the status of Deployments, and records it in Events. Every write has
 * the resourceVersion of what it is based on: a lost race is an error of reason Conflict, after
 * which the Deployment is looked at again.
 */
final class ReplicaSets {

  private static final GroupVersionResource RESOURCE = ReplicaSetFacts.RESOURCE;

  private final ApiClient client;
  private final EventRecorder events;
  private final InstantSource clock;
  private final SetWrites writes;

  ReplicaSets(ApiClient client, EventRecorder events, InstantSource clock, SetWrites writes) {
    this.client = client;
    this.events = events;
    this.clock = clock;
    this.writes = writes;
  }

  /** A write of a ReplicaSet. */
  @FunctionalInterface
  private interface Write {
    ApiObject send() throws InterruptedException;
  }

  /** Writes a ReplicaSet, and notes that the informer must tell it before the next look. */
  private ReplicaSetFacts noted(Deployment deployment, ObjectName name, Write write)
      throws InterruptedException {
    try {
      ReplicaSetFacts written = ReplicaSetFacts.of(write.send());
      writes.written(deployment.uid(), written);
      return written;
    } catch (ApiException e) {
      if (e.reason() != Reason.CONFLICT && e.reason() != Reason.ALREADY_EXISTS) {
        writes.unanswered(deployment.uid(), name);
      }
      throw e;
    }
  }

  /** Another ReplicaSet has the name of the one to be created. */
  static final class HashCollision extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Creates the ReplicaSet of a Deployment's template, or finds it if it exists already.
   *
   * @param size how many pods it begins with
   * @throws HashCollision if its name is that of another one
   */
  ReplicaSetFacts create(Deployment deployment, long revision, int size)
      throws InterruptedException, HashCollision {
    ObjectName owner = deployment.name();
    String hash = PodTemplate.hash(deployment.templateDigest(), deployment.collisions());
    String name = owner.name() + "-" + hash;
    try {
      ReplicaSetFacts created =
          noted(
              deployment,
              new ObjectName(owner.namespace(), name),
              () ->
                  client
                      .create(RESOURCE, replicaSet(deployment, name, hash, revision, size))
                      .object());
      if (size > 0) {
        scaled(deployment, "up", name, 0, size);
      }
      return created;
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        refused(deployment, name, e);
        throw e;
      }
    }
    ReplicaSetFacts existing =
        client
            .get(RESOURCE, owner.namespace(), name)
            .map(ReplicaSetFacts::of)
            .orElseThrow(HashCollision::new);
    Owner controller = existing.owner();
    if (controller != null
        && controller.uid().equals(deployment.uid())
        && existing.template().equals(deployment.templateDigest())) {
      return existing;
    }
    throw new HashCollision();
  }

  private void refused(Deployment deployment, String name, ApiException e)
      throws InterruptedException {
    if (e.isNamespaceTerminating()) {
      return;
    }
    String message = "Failed to create new replica set \"" + name + "\": " + e.text();
    events.record(deployment.reference(), Type.WARNING, Conditions.SET_FAILED, message);
    if (deployment.hasProgressDeadline()) {
      MapNode failed =
          Conditions.of(
              Conditions.PROGRESSING, "False", clock.instant(), Conditions.SET_FAILED, message);
      Deployment unused = storeStatus(deployment, Conditions.set(deployment.status(), failed));
    }
  }

  private static ApiObject replicaSet(
      Deployment deployment, String name, String hash, long revision, int size) {
    MapNode template = deployment.template();
    MapNode templateMetadata = template.map("metadata");
    MapNode labels = templateMetadata.map("labels").with(PodTemplate.HASH_LABEL, Node.text(hash));
    MapNode metadata =
        MapNode.builder(5)
            .put("name", Node.text(name))
            .put("namespace", Node.text(deployment.name().namespace()))
            .put(
                "ownerReferences", new Node.Items(List.of(Owner.reference(deployment.reference()))))
            .put("labels", labels)
            .put(
                "annotations",
                MapNode.ofTexts(
                    Revisions.annotations(Map.of(), deployment, revision, /* exists= */ false)))
            .build();
    MapNode selector = deployment.spec().map("selector");
    MapNode.Builder spec =
        MapNode.builder(4)
            .put("replicas", new Node.Int(size))
            .put(
                "selector",
                selector.with(
                    "matchLabels",
                    selector.map("matchLabels").with(PodTemplate.HASH_LABEL, Node.text(hash))))
            .put("template", template.with("metadata", templateMetadata.with("labels", labels)));
    if (!deployment.minReady().isZero()) {
      spec.put("minReadySeconds", new Node.Int(deployment.minReady().toSeconds()));
    }
    return new ApiObject(MapNode.of("metadata", metadata).with("spec", spec.build()))
        .withType(RESOURCE.apiVersion(), ReplicaSetFacts.KIND);
  }

  /** Sets the size of a ReplicaSet, and the sizes in its annotations. */
  ReplicaSetFacts scale(Deployment deployment, ReplicaSetFacts set, int size)
      throws InterruptedException {
    Map<String, String> sizes = Revisions.sizes(deployment);
    boolean same = set.replicas() == size;
    if (same && set.annotations().entrySet().containsAll(sizes.entrySet())) {
      return set;
    }
    ReplicaSetFacts after =
        patch(deployment, set, sizes, MapNode.of("replicas", new Node.Int(size)));
    if (!same) {
      String direction = set.replicas() < size ? "up" : "down";
      scaled(deployment, direction, set.name().name(), set.replicas(), size);
    }
    return after;
  }

  private void scaled(Deployment deployment, String direction, String set, int from, int to) {
    events.record(
        deployment.reference(),
        Type.NORMAL,
        "ScalingReplicaSet",
        "Scaled " + direction + " replica set " + set + " from " + from + " to " + to);
  }

  /** Writes what a Deployment hands on to the ReplicaSet of its template. */
  ReplicaSetFacts refresh(Deployment deployment, ReplicaSetFacts set, long revision)
      throws InterruptedException {
    Map<String, String> wanted =
        Revisions.annotations(set.annotations(), deployment, revision, /* exists= */ true);
    boolean sameWait = set.minReady().equals(deployment.minReady());
    if (wanted.equals(set.annotations()) && sameWait) {
      return set;
    }
    Map<String, String> changed = new HashMap<>(wanted);
    changed.entrySet().removeAll(set.annotations().entrySet());
    return patch(
        deployment,
        set,
        changed,
        sameWait
            ? MapNode.EMPTY
            : MapNode.of("minReadySeconds", new Node.Int(deployment.minReady().toSeconds())));
  }

  private ReplicaSetFacts patch(
      Deployment deployment, ReplicaSetFacts set, Map<String, String> annotations, MapNode spec)
      throws InterruptedException {
    MapNode metadata =
        MapNode.of("resourceVersion", Node.text(set.resourceVersion()))
            .with("annotations", MapNode.ofTexts(annotations));
    MapNode patch = MapNode.of("metadata", metadata);
    return noted(
        deployment,
        set.name(),
        () ->
            client
                .patch(
                    RESOURCE,
                    set.name().namespace(),
                    set.name().name(),
                    "",
                    Patch.MERGE,
                    spec.isEmpty() ? patch : patch.with("spec", spec))
                .object());
  }

  void delete(ReplicaSetFacts set) throws InterruptedException {
    boolean unused =
        client.deleteIfPresent(
            RESOURCE,
            set.name().namespace(),
            set.name().name(),
            new DeleteRequest(set.uid(), "", Dependents.DEFAULT));
  }

  /**
   * Gives a Deployment the template and the annotations of one of its ReplicaSets, unless it has
   * the template already; it no longer asks for a revision then.
   *
   * @param revision which was asked for
   */
  Deployment goBack(Deployment deployment, ReplicaSetFacts set, long revision)
      throws InterruptedException {
    String name = deployment.name().name();
    if (set.template().equals(deployment.templateDigest())) {
      events.record(
          deployment.reference(),
          Type.WARNING,
          "DeploymentRollbackTemplateUnchanged",
          "The rollback revision contains the same template as current deployment \"" + name + '"');
      return stay(deployment);
    }
    ApiObject stored =
        client
            .get(RESOURCE, set.name().namespace(), set.name().name())
            .orElseThrow(() -> ApiException.notFound(RESOURCE.groupResource(), set.name().name()));
    MapNode template = stored.root().map("spec").map("template");
    MapNode metadata = template.map("metadata");
    MapNode plain = metadata.with("labels", metadata.map("labels").without(PodTemplate.HASH_LABEL));
    Deployment after =
        store(
            deployment
                .withTemplate(template.with("metadata", plain))
                .withAnnotations(
                    Revisions.restored(deployment.annotations(), stored.meta().annotations())));
    events.record(
        deployment.reference(),
        Type.NORMAL,
        "DeploymentRollback",
        "Rolled back deployment \"" + name + "\" to revision " + revision);
    return after;
  }

  /** Gives up to go back to a revision that no ReplicaSet has. */
  Deployment stay(Deployment deployment, String problem) throws InterruptedException {
    events.record(
        deployment.reference(), Type.WARNING, "DeploymentRollbackRevisionNotFound", problem);
    return stay(deployment);
  }

  private Deployment stay(Deployment deployment) throws InterruptedException {
    Map<String, String> annotations = new HashMap<>(deployment.annotations());
    annotations.remove(Deployment.ROLLBACK);
    return store(deployment.withAnnotations(annotations));
  }

  private Deployment store(Deployment deployment) throws InterruptedException {
    return new Deployment(client.update(Deployment.RESOURCE, deployment.object()).object());
  }

  /** Stores the status, with the annotations that the Deployment has now. */
  Deployment storeStatus(Deployment deployment, MapNode status) throws InterruptedException {
    return new Deployment(
        client.updateStatus(Deployment.RESOURCE, deployment.withStatus(status).object()).object());
  }
}
