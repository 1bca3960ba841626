package dev.keelson.controller.workload;

import dev.keelson.api.ApiException;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.workload.PodClaims.Adoption;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The ControllerRevisions of workloads: the pod templates that they have had (source: Kubernetes'
 * {@code pkg/controller/history}). Safe for use by several threads.
 */
public final class RevisionHistory {

  /** The longest prefix of a name, before a dash and the hash. */
  private static final int LONGEST_PREFIX = 223;

  private final ApiClient client;
  private final Informer<RevisionFacts> revisions;

  /**
   * A created revision.
   *
   * @param collisions how often another revision had the name, with those before
   */
  public record Created(RevisionFacts revision, int collisions) {}

  /**
   * @param revisions with the index {@link RevisionFacts#BY_OWNER}
   */
  public RevisionHistory(ApiClient client, Informer<RevisionFacts> revisions) {
    this.client = client;
    this.revisions = revisions;
  }

  /** The revisions of a workload from the oldest to the newest; adopts those without an owner. */
  public List<RevisionFacts> list(
      ObjectReference workload, LabelSelector selector, Adoption adoption)
      throws InterruptedException {
    List<RevisionFacts> own = new ArrayList<>();
    for (RevisionFacts each : revisions.by(RevisionFacts.BY_OWNER, workload.uid())) {
      if (selector.matches(each.labels())) {
        own.add(each);
      }
    }
    String orphans = RevisionFacts.withoutOwner(workload.namespace());
    boolean asked = false;
    for (RevisionFacts each : revisions.by(RevisionFacts.BY_OWNER, orphans)) {
      if (!selector.matches(each.labels())) {
        continue;
      }
      if (!asked && !adoption.allowed()) {
        break;
      }
      asked = true;
      own.add(adopt(each, workload));
    }
    own.sort(RevisionFacts.BY_REVISION);
    return own;
  }

  private RevisionFacts adopt(RevisionFacts revision, ObjectReference workload)
      throws InterruptedException {
    MapNode metadata = Owner.adoption(workload, revision.uid());
    return RevisionFacts.of(patch(revision, MapNode.of("metadata", metadata)));
  }

  private ApiObject patch(RevisionFacts revision, MapNode patch) throws InterruptedException {
    return client
        .patch(
            RevisionFacts.RESOURCE,
            revision.name().namespace(),
            revision.name().name(),
            "",
            Patch.STRATEGIC_MERGE,
            patch)
        .object();
  }

  /**
   * Creates a revision of a template; if there is one of the same name and template, returns it.
   *
   * @param hashLabel the label that gets the hash of the name
   * @param collisions how often other revisions had the name before
   */
  public Created create(
      ObjectReference workload,
      MapNode template,
      String hashLabel,
      Map<String, String> annotations,
      long number,
      int collisions)
      throws InterruptedException {
    String digest = PodTemplate.digest(template);
    int tries = collisions;
    while (true) {
      String hash = PodTemplate.hash(digest, tries);
      try {
        ApiObject made = object(workload, template, hash, hashLabel, annotations, number);
        ApiObject stored = client.create(RevisionFacts.RESOURCE, made).object();
        return new Created(RevisionFacts.of(stored), tries);
      } catch (ApiException e) {
        if (e.reason() != Reason.ALREADY_EXISTS) {
          throw e;
        }
      }
      RevisionFacts other =
          client
              .get(RevisionFacts.RESOURCE, workload.namespace(), name(workload, hash))
              .map(RevisionFacts::of)
              .orElse(null);
      if (other != null && other.template().equals(digest)) {
        return new Created(other, tries);
      }
      tries++;
    }
  }

  private static String name(ObjectReference workload, String hash) {
    String prefix = workload.name();
    return (prefix.length() > LONGEST_PREFIX ? prefix.substring(0, LONGEST_PREFIX) : prefix)
        + "-"
        + hash;
  }

  private static ApiObject object(
      ObjectReference workload,
      MapNode template,
      String hash,
      String hashLabel,
      Map<String, String> annotations,
      long number) {
    MapNode labels = template.map("metadata").map("labels").with(hashLabel, Node.text(hash));
    MapNode.Builder metadata =
        MapNode.builder(5)
            .put("name", Node.text(name(workload, hash)))
            .put("namespace", Node.text(workload.namespace()))
            .put("labels", labels)
            .put("ownerReferences", new Node.Items(List.of(Owner.reference(workload))));
    if (!annotations.isEmpty()) {
      metadata.put("annotations", MapNode.ofTexts(annotations));
    }
    // a strategic merge patch of the workload, which kubectl applies to roll back; it compares the
    // bytes with those that it makes of the workload, whose keys are in order
    Node replacing = PodTemplate.sorted(template.with("$patch", Node.text("replace")));
    MapNode data = MapNode.of("spec", MapNode.of("template", replacing));
    return new ApiObject(
            MapNode.of("metadata", metadata.build())
                .with("data", data)
                .with("revision", new Node.Int(number)))
        .withType(RevisionFacts.RESOURCE.apiVersion(), RevisionFacts.KIND);
  }

  /** Makes a revision the newest one. */
  public RevisionFacts renumber(RevisionFacts revision, long number) throws InterruptedException {
    return RevisionFacts.of(patch(revision, MapNode.of("revision", new Node.Int(number))));
  }

  /** The pod template of a revision; empty if it does not exist. */
  public MapNode template(RevisionFacts revision) throws InterruptedException {
    return client
        .get(RevisionFacts.RESOURCE, revision.name().namespace(), revision.name().name())
        .map(RevisionFacts::template)
        .orElse(MapNode.EMPTY);
  }

  /** Deletes a revision, if it exists. */
  public void delete(RevisionFacts revision) throws InterruptedException {
    boolean unused =
        client.deleteIfPresent(
            RevisionFacts.RESOURCE,
            revision.name().namespace(),
            revision.name().name(),
            new DeleteRequest(revision.uid(), "", Dependents.DEFAULT));
  }
}
