package dev.keelson.http.history;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.storage.KeyRevision;
import org.jspecify.annotations.Nullable;

/**
 * One revision of an object.
 *
 * @param revision the revision
 * @param verb create, update or delete; delete for the start of a graceful deletion as well as for
 *     the removal
 * @param meta the metadata after the change; null if the change removed the object
 * @param author who made it
 */
record RevisionItem(long revision, String verb, @Nullable ObjectMeta meta, ChangeAuthor author) {

  /** The kind and version of the items and of their list. */
  static final String API_VERSION = "history.keelson.dev/v1";

  static final String KIND = "ObjectRevision";

  /**
   * Describes a change.
   *
   * @param before the metadata before it; null if there was no object, or if it is not kept
   */
  static RevisionItem of(
      KeyRevision change, @Nullable ObjectMeta after, @Nullable ObjectMeta before) {
    if (after == null) {
      return new RevisionItem(change.revision(), "delete", null, ChangeAuthor.UNKNOWN);
    }
    boolean created = change.revision() == change.createRevision();
    boolean deleting = after.deleting() && before != null && !before.deleting();
    // a delete alters no entry
    ChangeAuthor author =
        deleting
            ? new ChangeAuthor("", "", "", after.deletionTimestamp())
            : ChangeAuthor.of(created ? null : before, after);
    if (created && author.time().isEmpty()) {
      author =
          new ChangeAuthor(
              author.manager(),
              author.operation(),
              author.subresource(),
              after.creationTimestamp());
    }
    String verb = created ? "create" : deleting ? "delete" : "update";
    return new RevisionItem(change.revision(), verb, after, author);
  }

  /** The item of a list; fields that are not known are left out. */
  MapNode tree(String namespace, String name) {
    MapNode.Builder metadata = MapNode.builder(5).put("name", Node.text(name));
    put(metadata, "namespace", namespace);
    if (meta != null) {
      put(metadata, "uid", meta.uid());
    }
    metadata.put("resourceVersion", Node.text(Long.toString(revision)));
    if (meta != null && meta.generation() > 0) {
      metadata.put("generation", new Node.Int(meta.generation()));
    }
    MapNode.Builder item =
        MapNode.builder(7).put("metadata", metadata.build()).put("verb", Node.text(verb));
    put(item, "time", author.time());
    put(item, "manager", author.manager());
    put(item, "operation", author.operation());
    put(item, "subresource", author.subresource());
    if (meta == null) {
      item.put("removed", Node.Bool.TRUE);
    }
    return item.build();
  }

  private static void put(MapNode.Builder builder, String key, String value) {
    if (!value.isEmpty()) {
      builder.put(key, Node.text(value));
    }
  }
}
