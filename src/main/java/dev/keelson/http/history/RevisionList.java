package dev.keelson.http.history;

import dev.keelson.api.ApiException;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.options.ListOptions;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Collection;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ObjectHistory;
import dev.keelson.storage.KeyRevision;
import dev.keelson.work.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists the revisions of an object, the newest first. */
final class RevisionList {

  /** Revisions of a chunk without a limit. */
  private static final int USUAL = 100;

  private static final int MOST = 500;

  /** A chunk ends when so many bytes of objects have been read for it. */
  private static final long MOST_BYTES = 16L << 20;

  private final GenericRegistry registry;
  private final ObjectHistory history;

  RevisionList(GenericRegistry registry, ObjectHistory history) {
    this.registry = registry;
    this.history = history;
  }

  /**
   * A chunk.
   *
   * @param older the first revision that is left for the next chunk; 0 if this is the last
   */
  private record Chunk(List<RevisionItem> items, long older) {}

  /** The state after a change; null if the change removed the object. */
  private record State(KeyRevision change, @Nullable ObjectMeta meta) {}

  /**
   * Answers a list.
   *
   * @throws ApiException of reason NotFound if no revision of the object is kept
   */
  ApiResponse answer(ApiRequest request, Collection collection, String name) {
    HistoryFormat.Listed format = HistoryFormat.listed(request);
    String token = request.query().first("continue");
    long at = token.isEmpty() ? 0 : RevisionNumber.parse("continue", token);
    long limit = ListOptions.number(request.query(), "limit");
    Chunk chunk = chunk(collection, name, at, limit <= 0 ? USUAL : (int) Math.min(MOST, limit));
    if (chunk.items.isEmpty()) {
      throw ApiException.notFound(collection.definition().groupResource(), name);
    }
    return format.answer(list(chunk, collection, name));
  }

  private static MapNode list(Chunk chunk, Collection collection, String name) {
    MapNode.Builder metadata =
        MapNode.builder(2)
            .put("resourceVersion", Node.text(Long.toString(chunk.items.getFirst().revision())));
    if (chunk.older > 0) {
      metadata.put("continue", Node.text(Long.toString(chunk.older)));
    }
    List<Node> items = new ArrayList<>();
    chunk.items.forEach(item -> items.add(item.tree(collection.namespace(), name)));
    return MapNode.builder(4)
        .put("kind", Node.text(RevisionItem.KIND + "List"))
        .put("apiVersion", Node.text(RevisionItem.API_VERSION))
        .put("metadata", metadata.build())
        .put("items", new Node.Items(items))
        .build();
  }

  private Chunk chunk(Collection collection, String name, long at, int limit) {
    // one more: the state before the last change of the chunk
    List<KeyRevision> changes = history.revisions(collection, name, at, limit + 1);
    List<RevisionItem> items = new ArrayList<>();
    long bytes = 0;
    State after = null;
    for (KeyRevision change : changes) {
      Turn.pass();
      Optional<StoredObject> object =
          change.isDeletion() ? Optional.empty() : history.at(collection, name, change.revision());
      State state = new State(change, object.map(this::meta).orElse(null));
      if (after != null) {
        items.add(RevisionItem.of(after.change, after.meta, state.meta));
        if (items.size() == limit || bytes >= MOST_BYTES) {
          return new Chunk(items, change.revision());
        }
      }
      bytes += object.map(found -> (long) found.value().length()).orElse(0L);
      after = state;
    }
    if (after != null) {
      items.add(RevisionItem.of(after.change, after.meta, null));
    }
    return new Chunk(items, 0);
  }

  private ObjectMeta meta(StoredObject object) {
    return registry.metadata(object);
  }
}
