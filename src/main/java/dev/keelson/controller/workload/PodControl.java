package dev.keelson.controller.workload;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Names;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * Creates, deletes, adopts and releases the pods of a workload, and records it in Events (source:
 * Kubernetes' {@code RealPodControl}). Safe for use by several threads.
 */
public final class PodControl {

  /** The API resource of pods. */
  public static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");

  /** The directive of a strategic merge patch that removes finalizers. */
  private static final String DELETED = "$deleteFromPrimitiveList/finalizers";

  private final ApiClient client;
  private final EventRecorder events;

  public PodControl(ApiClient client, EventRecorder events) {
    this.client = client;
    this.events = events;
  }

  /** Creates a pod from a template, with a name generated from that of the workload. */
  public void create(MapNode template, ObjectReference workload) throws InterruptedException {
    create(template, workload, prefix(workload.name()));
  }

  /**
   * Creates a pod from a template.
   *
   * @param generateName the prefix of its name
   */
  public void create(MapNode template, ObjectReference workload, String generateName)
      throws InterruptedException {
    try {
      Written created = client.create(PODS, pod(template, workload, generateName));
      events.record(workload, Type.NORMAL, "SuccessfulCreate", "Created pod: " + created.name());
    } catch (ApiException e) {
      if (!e.isNamespaceTerminating()) {
        events.record(workload, Type.WARNING, "FailedCreate", "Error creating: " + e.text());
      }
      throw e;
    }
  }

  /** The pod that a template describes. */
  private static ApiObject pod(MapNode template, ObjectReference workload, String generateName) {
    MapNode given = template.map("metadata");
    MapNode.Builder metadata =
        MapNode.builder(7)
            .put("generateName", Node.text(generateName))
            .put("namespace", Node.text(workload.namespace()));
    for (String key : List.of("labels", "annotations", "finalizers")) {
      Node value = given.get(key);
      if (value != null) {
        metadata.put(key, value);
      }
    }
    metadata.put("ownerReferences", new Node.Items(List.of(Owner.reference(workload))));
    return new ApiObject(
            MapNode.of("metadata", metadata.build()).with("spec", template.map("spec")))
        .withType("v1", "Pod");
  }

  /** The prefix of names of pods; without a dash where the name would be invalid with one. */
  private static String prefix(String workload) {
    String dashed = workload + "-";
    return Names.dnsSubdomain(dashed + "x").isEmpty() ? dashed : workload;
  }

  /** Deletes a pod; one that does not exist is an error of reason NotFound. */
  public void delete(PodFacts pod, ObjectReference workload) throws InterruptedException {
    ObjectName name = pod.name();
    try {
      client.delete(
          PODS, name.namespace(), name.name(), new DeleteRequest("", "", Dependents.DEFAULT));
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND) {
        events.record(workload, Type.WARNING, "FailedDelete", "Error deleting: " + e.text());
      }
      throw e;
    }
    events.record(workload, Type.NORMAL, "SuccessfulDelete", "Deleted pod: " + name.name());
  }

  /**
   * Makes a workload the controller of a pod that has none.
   *
   * @param finalizers which the pod gets
   * @return the pod as it is then
   */
  PodFacts adopt(PodFacts pod, ObjectReference workload, List<String> finalizers)
      throws InterruptedException {
    MapNode metadata = Owner.adoption(workload, pod.uid());
    return PodFacts.of(
        patch(pod, finalizers.isEmpty() ? metadata : metadata.with("finalizers", texts(finalizers)))
            .object());
  }

  /**
   * Removes a workload from the owners of a pod.
   *
   * @param finalizers which the pod loses
   */
  void release(PodFacts pod, ObjectReference workload, List<String> finalizers)
      throws InterruptedException {
    MapNode metadata = Owner.release(workload.uid(), pod.uid());
    try {
      Written unused =
          patch(pod, finalizers.isEmpty() ? metadata : metadata.with(DELETED, texts(finalizers)));
    } catch (ApiException e) {
      // it is gone, or another pod has its name, or no longer has this owner
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.INVALID) {
        throw e;
      }
    }
  }

  /** Removes a finalizer of a pod; a pod that does not exist is an error of reason NotFound. */
  public void removeFinalizer(PodFacts pod, String finalizer) throws InterruptedException {
    Written unused = patch(pod, MapNode.of(DELETED, texts(List.of(finalizer))));
  }

  /**
   * Removes a finalizer of a pod, if the pod has not changed since; an error of reason Conflict
   * tells that it has.
   *
   * @param version the resourceVersion of the pod
   */
  public void removeFinalizer(PodFacts pod, String finalizer, String version)
      throws InterruptedException {
    MapNode metadata =
        MapNode.of(DELETED, texts(List.of(finalizer))).with("resourceVersion", Node.text(version));
    Written unused = patch(pod, metadata);
  }

  /** Sets a label of a pod, if the pod exists. */
  public void label(PodFacts pod, String key, String value) throws InterruptedException {
    MapNode labels = MapNode.of(key, Node.text(value));
    try {
      Written unused = patch(pod, MapNode.of("uid", Node.text(pod.uid())).with("labels", labels));
    } catch (ApiException e) {
      // it is gone, or another pod has its name
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.CONFLICT) {
        throw e;
      }
    }
  }

  private static Node.Items texts(List<String> texts) {
    return new Node.Items(texts.stream().<Node>map(Node::text).toList());
  }

  private Written patch(PodFacts pod, MapNode metadata) throws InterruptedException {
    return client.patch(
        PODS,
        pod.name().namespace(),
        pod.name().name(),
        "",
        Patch.STRATEGIC_MERGE,
        MapNode.of("metadata", metadata));
  }
}
