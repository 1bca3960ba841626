package dev.keelson.http.trail;

import dev.keelson.audit.trail.TrailException;
import dev.keelson.audit.trail.TrailQuery;
import dev.keelson.audit.trail.TrailStore;
import dev.keelson.audit.trail.TrailStore.Entry;
import dev.keelson.http.verb.VirtualResource.Objects;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one object, the newest first, each with the fields that differ from the last known
 * state before it. A state is known from the response of a write at level RequestResponse, or from
 * the request of a create or update at level Request.
 */
final class ObjectLife {

  /** So many older events are looked at for the state before the last change of a page. */
  private static final int LOOK_BACK = 50;

  /** Subresources that answer with the whole object. */
  private static final Set<String> WHOLE = Set.of("", "status");

  private static final Set<String> SENT_WHOLE = Set.of("create", "update");

  private final TrailStore store;
  private final TrailQuery changes;

  /**
   * The life that a query selects.
   *
   * @param changes the successful writes of one object
   */
  ObjectLife(TrailStore store, TrailQuery changes) {
    this.store = store;
    this.changes = changes;
  }

  /** A page of changes that begins behind an event. */
  Objects page(String before, int limit, long revision) throws TrailException {
    List<Entry> found = store.search(changes, before, limit + LOOK_BACK);
    int shown = Math.min(limit, found.size());
    List<ApiObject> events = new ArrayList<>(shown);
    List<MapNode> trees = found.stream().map(EventObjects::tree).toList();
    for (int i = 0; i < shown; i++) {
      if (!isDryRun(trees.get(i))) {
        ApiObject event = EventObjects.of(found.get(i));
        List<Node> fields = changes(trees, i);
        events.add(fields.isEmpty() ? event : event.with("changes", new Node.Items(fields)));
      }
    }
    String token = found.size() > shown ? found.get(shown - 1).id() : "";
    return new Objects(events, revision, token);
  }

  private static List<Node> changes(List<MapNode> trees, int index) {
    MapNode after = state(trees.get(index));
    if (after == null || trees.get(index).text("verb").equals("create")) {
      return List.of();
    }
    for (MapNode older : trees.subList(index + 1, trees.size())) {
      MapNode before = isDryRun(older) ? null : state(older);
      if (before != null) {
        return FieldDiff.between(before, after);
      }
    }
    return List.of();
  }

  /** The object after a write, or null if the event does not have it. */
  private static @Nullable MapNode state(MapNode event) {
    String verb = event.text("verb");
    if (verb.equals("delete") || !WHOLE.contains(event.map("objectRef").text("subresource"))) {
      return null;
    }
    MapNode response = event.map("responseObject");
    if (response.has("metadata") && !response.text("kind").equals("Status")) {
      return response;
    }
    MapNode request = event.map("requestObject");
    return SENT_WHOLE.contains(verb) && request.has("metadata") ? request : null;
  }

  private static boolean isDryRun(MapNode event) {
    String uri = event.text("requestURI");
    int query = uri.indexOf('?');
    return query >= 0 && uri.indexOf("dryRun=", query) >= 0;
  }
}
