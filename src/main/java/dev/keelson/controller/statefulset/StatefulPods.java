package dev.keelson.controller.statefulset;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.workload.ClaimFacts;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.PodControl;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Creates and deletes pods of StatefulSets and their claims, and records it in Events (source:
 * {@code stateful_pod_control.go}). Safe for use by several threads.
 */
final class StatefulPods {

  /** The label with the revision of a pod. */
  static final String REVISION = "controller-revision-hash";

  private static final String POD_NAME = "statefulset.kubernetes.io/pod-name";
  private static final String POD_INDEX = "apps.kubernetes.io/pod-index";

  private final ApiClient client;
  private final EventRecorder events;
  private final Informer<ClaimFacts> claims;

  StatefulPods(ApiClient client, EventRecorder events, Informer<ClaimFacts> claims) {
    this.client = client;
    this.events = events;
    this.claims = claims;
  }

  private @Nullable ClaimFacts claim(StatefulSet set, MapNode template, int ordinal) {
    return claims
        .get(new ObjectName(set.meta().namespace(), set.claimName(template, ordinal)))
        .orElse(null);
  }

  /** Whether a claim of a pod waits for its deletion with an earlier pod. */
  boolean hasStaleClaim(StatefulSet set, int ordinal) {
    return set.deletesClaims("whenScaled")
        && set.claimTemplates().stream()
            .map(template -> claim(set, template, ordinal))
            .filter(Objects::nonNull)
            .anyMatch(claim -> ClaimOwners.isStale(claim, set.podName(ordinal)));
  }

  /**
   * Creates a pod after its claims. If the claims cannot be given their owners then, the pod is
   * there, and Events tell of an update that has failed (source: {@code CreateStatefulPod}).
   *
   * @param template of the pod's revision
   */
  void create(StatefulSet set, MapNode template, String revision, int ordinal)
      throws InterruptedException {
    ApiObject pod;
    try {
      createClaims(set, ordinal);
      pod = client.create(PodControl.PODS, pod(set, template, revision, ordinal)).object();
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        recordPod("Create", set, ordinal, e);
      }
      throw e;
    }
    try {
      ownClaims(set, ordinal, pod.meta().uid());
    } catch (ApiException e) {
      recordPod("Update", set, ordinal, e);
      throw e;
    }
    recordPod("Create", set, ordinal, null);
  }

  private static ApiObject pod(StatefulSet set, MapNode template, String revision, int ordinal) {
    String name = set.podName(ordinal);
    MapNode given = template.map("metadata");
    MapNode labels =
        given
            .map("labels")
            .with(REVISION, Node.text(revision))
            .with(POD_NAME, Node.text(name))
            .with(POD_INDEX, Node.text(Integer.toString(ordinal)));
    MapNode.Builder metadata =
        MapNode.builder(7)
            .put("name", Node.text(name))
            .put("generateName", Node.text(set.meta().name() + "-"))
            .put("namespace", Node.text(set.meta().namespace()))
            .put("labels", labels)
            .put("ownerReferences", new Node.Items(List.of(Owner.reference(set.reference()))));
    for (String key : List.of("annotations", "finalizers")) {
      Node value = given.get(key);
      if (value != null) {
        metadata.put(key, value);
      }
    }
    MapNode spec = template.map("spec").with("hostname", Node.text(name));
    String service = set.spec().text("serviceName");
    if (!service.isEmpty()) {
      spec = spec.with("subdomain", Node.text(service));
    }
    List<Node> volumes = volumes(set, spec, ordinal);
    if (!volumes.isEmpty()) {
      spec = spec.with("volumes", new Node.Items(volumes));
    }
    return new ApiObject(MapNode.of("metadata", metadata.build()).with("spec", spec))
        .withType("v1", "Pod");
  }

  /** The claims, and the volumes of the template that have other names. */
  private static List<Node> volumes(StatefulSet set, MapNode spec, int ordinal) {
    List<Node> volumes = new ArrayList<>();
    for (MapNode template : set.claimTemplates()) {
      MapNode source = MapNode.of("claimName", Node.text(set.claimName(template, ordinal)));
      volumes.add(
          MapNode.of("name", Node.text(template.map("metadata").text("name")))
              .with("persistentVolumeClaim", source));
    }
    Set<String> claimed =
        set.claimTemplates().stream()
            .map(template -> template.map("metadata").text("name"))
            .collect(Collectors.toSet());
    for (MapNode volume : spec.maps("volumes")) {
      if (!claimed.contains(volume.text("name"))) {
        volumes.add(volume);
      }
    }
    return volumes;
  }

  /** Creates the claims of a pod that do not exist, and brings the owners of all up to date. */
  void completeClaims(StatefulSet set, int ordinal, String podUid) throws InterruptedException {
    createClaims(set, ordinal);
    ownClaims(set, ordinal, podUid);
  }

  /** Creates those that do not exist; one that fails does not keep the others away. */
  private void createClaims(StatefulSet set, int ordinal) throws InterruptedException {
    List<ApiException> errors = new ArrayList<>();
    for (MapNode template : set.claimTemplates()) {
      ClaimFacts known = claim(set, template, ordinal);
      if (known == null) {
        try {
          createClaim(set, template, ordinal);
        } catch (ApiException e) {
          errors.add(e);
        }
      } else if (known.deleting()) {
        errors.add(
            new ApiException(Reason.CONFLICT, "pvc " + known.name().name() + " is being deleted"));
      }
    }
    if (errors.size() == 1) {
      throw errors.getFirst();
    }
    if (!errors.isEmpty()) {
      ApiException first = errors.getFirst();
      String all = errors.stream().map(ApiException::text).collect(Collectors.joining(", "));
      throw new ApiException(first.reason(), "[" + all + "]", first.details(), first);
    }
  }

  private void createClaim(StatefulSet set, MapNode template, int ordinal)
      throws InterruptedException {
    String name = set.claimName(template, ordinal);
    MapNode given = template.map("metadata");
    MapNode labels = given.map("labels");
    for (var label : set.spec().map("selector").map("matchLabels").texts().entrySet()) {
      labels = labels.with(label.getKey(), Node.text(label.getValue()));
    }
    MapNode metadata =
        given
            .with("name", Node.text(name))
            .with("namespace", Node.text(set.meta().namespace()))
            .with("labels", labels);
    MapNode claim = MapNode.of("metadata", metadata).with("spec", template.map("spec"));
    String what = "Claim " + name + " Pod " + set.podName(ordinal) + " in StatefulSet ";
    try {
      Written unused =
          client.create(
              ClaimFacts.RESOURCE, new ApiObject(claim).withType("v1", "PersistentVolumeClaim"));
    } catch (ApiException e) {
      if (e.reason() == Reason.ALREADY_EXISTS) {
        return;
      }
      events.record(
          set.reference(),
          Type.WARNING,
          "FailedCreate",
          "create Claim "
              + name
              + " for Pod "
              + set.podName(ordinal)
              + " in StatefulSet "
              + set.meta().name()
              + " failed error: "
              + e.text());
      throw new ApiException(
          e.reason(), "failed to create PVC " + name + ": " + e.text(), e.details(), e);
    }
    events.record(
        set.reference(),
        Type.NORMAL,
        "SuccessfulCreate",
        "create " + what + set.meta().name() + " success");
  }

  /** Whether the owners of the claims of a pod, as far as these exist, are those of the policy. */
  boolean areClaimsOwned(StatefulSet set, int ordinal, String podUid) {
    return set.claimTemplates().stream()
        .map(template -> claim(set, template, ordinal))
        .filter(Objects::nonNull)
        .allMatch(claim -> ClaimOwners.areRight(claim.owners(), set, ordinal, podUid));
  }

  /** Makes the owners of the claims of a pod those of the retention policy. */
  void ownClaims(StatefulSet set, int ordinal, String podUid) throws InterruptedException {
    for (MapNode template : set.claimTemplates()) {
      ClaimFacts known = claim(set, template, ordinal);
      if (known == null) {
        continue;
      }
      String name = known.name().name();
      if (ClaimOwners.hasUnexpectedController(known.owners(), set, ordinal, podUid)) {
        events.record(
            set.reference(),
            Type.WARNING,
            "ConflictingController",
            "PersistentVolumeClaim "
                + name
                + " has a conflicting OwnerReference that acts as a manging controller,"
                + " the retention policy is ignored for this claim");
      }
      ApiObject claim =
          ClaimOwners.areRight(known.owners(), set, ordinal, podUid)
              ? null
              : client.get(ClaimFacts.RESOURCE, set.meta().namespace(), name).orElse(null);
      if (claim == null) {
        continue;
      }
      List<MapNode> owners = claim.meta().node().maps("ownerReferences");
      if (!ClaimOwners.areRight(owners, set, ordinal, podUid)) {
        List<MapNode> wanted = ClaimOwners.wanted(owners, set, ordinal, podUid);
        Written unused =
            client.update(
                ClaimFacts.RESOURCE,
                claim.withMeta(
                    claim.meta().with("ownerReferences", new Node.Items(List.copyOf(wanted)))));
      }
    }
  }

  /** Deletes a pod; one that does not exist is as good. */
  void delete(StatefulSet set, PodFacts pod) throws InterruptedException {
    int ordinal = set.ordinal(pod);
    try {
      boolean deleted =
          client.deleteIfPresent(
              PodControl.PODS,
              pod.name().namespace(),
              pod.name().name(),
              new DeleteRequest(pod.uid(), "", Dependents.DEFAULT));
      if (!deleted) {
        // the informer will tell, or has told of the next pod of the name
        return;
      }
    } catch (ApiException e) {
      recordPod("Delete", set, ordinal, e);
      throw e;
    }
    recordPod("Delete", set, ordinal, null);
  }

  /**
   * Gives a pod the labels of its identity and the volumes of its claims, and its claims the owners
   * of the retention policy, where they are not so (source: {@code UpdateStatefulPod}). The server
   * refuses other volumes: a pod that was adopted without its claims is told about in Events.
   */
  void conform(StatefulSet set, PodFacts pod) throws InterruptedException {
    int ordinal = set.ordinal(pod);
    boolean named = pod.name().name().equals(pod.labels().get(POD_NAME));
    boolean stored = usesItsClaims(set, pod, ordinal);
    boolean owned = areClaimsOwned(set, ordinal, pod.uid());
    if (named && stored && owned) {
      return;
    }
    try {
      if (!stored) {
        createClaims(set, ordinal);
      }
      if (!owned) {
        ownClaims(set, ordinal, pod.uid());
      }
      if (!named) {
        identify(set, pod, ordinal);
      }
      if (!stored) {
        useClaims(set, pod, ordinal);
      }
    } catch (ApiException e) {
      recordPod("Update", set, ordinal, e);
      throw e;
    }
    recordPod("Update", set, ordinal, null);
  }

  private static boolean usesItsClaims(StatefulSet set, PodFacts pod, int ordinal) {
    return set.claimTemplates().stream()
        .allMatch(
            template ->
                set.claimName(template, ordinal)
                    .equals(pod.statefulClaims().get(template.map("metadata").text("name"))));
  }

  private void identify(StatefulSet set, PodFacts pod, int ordinal) throws InterruptedException {
    String name = pod.name().name();
    MapNode labels =
        MapNode.of(POD_NAME, Node.text(name)).with(POD_INDEX, Node.text(Integer.toString(ordinal)));
    MapNode metadata = MapNode.of("uid", Node.text(pod.uid())).with("labels", labels);
    Written unused =
        client.patch(
            PodControl.PODS,
            set.meta().namespace(),
            name,
            "",
            Patch.STRATEGIC_MERGE,
            MapNode.of("metadata", metadata));
  }

  private void useClaims(StatefulSet set, PodFacts pod, int ordinal) throws InterruptedException {
    ApiObject stored =
        client
            .get(PodControl.PODS, pod.name().namespace(), pod.name().name())
            .filter(found -> found.meta().uid().equals(pod.uid()))
            .orElse(null);
    if (stored != null) {
      MapNode spec = stored.root().map("spec");
      Written unused =
          client.update(
              PodControl.PODS,
              stored.with(
                  "spec", spec.with("volumes", new Node.Items(volumes(set, spec, ordinal)))));
    }
  }

  private void recordPod(String verb, StatefulSet set, int ordinal, @Nullable ApiException error) {
    String what =
        verb.toLowerCase(Locale.ROOT)
            + " Pod "
            + set.podName(ordinal)
            + " in StatefulSet "
            + set.meta().name();
    if (error == null) {
      events.record(set.reference(), Type.NORMAL, "Successful" + verb, what + " successful");
    } else {
      events.record(
          set.reference(), Type.WARNING, "Failed" + verb, what + " failed error: " + error.text());
    }
  }
}
