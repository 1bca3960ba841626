package dev.keelson.client.informer;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.ApiTransport.EventStream;
import dev.keelson.client.rest.StatusErrors;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.json.ManagedFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A watch of the objects of a resource for several informers (client-go's Reflector): each event is
 * read once, without managed fields, whatever number of informers extract from it what they keep.
 * Has no thread: {@link #follow} is called again and again by one thread. Informers are added
 * before its first call.
 */
public final class SharedWatch {

  /*
   * States: without a revision, the watch begins with all objects (KEP-3157): informers collect them
   * aside until the server says that they are complete. With a revision the watch goes on behind the
   * last event that was applied. A revision that the server no longer has (410) is forgotten. A
   * server that cannot begin a watch with all objects is asked for a list.
   */

  private static final String INITIAL_END = "k8s.io/initial-events-end";

  private final ApiClient client;
  private final Selection selection;
  private final List<WatchReceiver> receivers = new ArrayList<>();

  /** Where the watch goes on; empty before the first complete state. Confined to the follower. */
  private String revision = "";

  /** Whether the objects are not complete yet. Confined to the follower. */
  private boolean collecting;

  /** Whether the server can begin a watch with all objects. Confined to the follower. */
  private boolean streamsLists = true;

  /** A watch that has not begun. */
  public SharedWatch(ApiClient client, Selection selection) {
    this.client = client;
    this.selection = selection;
  }

  /** Adds a receiver; not called any more when the watch has begun. */
  void add(WatchReceiver receiver) {
    receivers.add(receiver);
  }

  /**
   * Follows the objects until the watch ends, as it does after some time; call it again.
   *
   * @throws IOException if the connection breaks
   * @throws ApiException if the server refuses the watch
   */
  public void follow() throws IOException, InterruptedException {
    if (revision.isEmpty() && !streamsLists) {
      relist();
    }
    try (EventStream events = open()) {
      for (byte[] event = events.next(); event != null; event = events.next()) {
        apply(event);
      }
    } catch (ApiException e) {
      if (e.reason() == Reason.EXPIRED || e.reason() == Reason.GONE) {
        revision = "";
      } else {
        throw e;
      }
    }
  }

  private EventStream open() throws InterruptedException {
    Map<String, String> options = new HashMap<>();
    options.put("allowWatchBookmarks", "true");
    if (!revision.isEmpty()) {
      collecting = false;
      receivers.forEach(WatchReceiver::resume);
      options.put("resourceVersion", revision);
      return client.watch(selection, options);
    }
    collecting = true;
    receivers.forEach(WatchReceiver::begin);
    options.put("sendInitialEvents", "true");
    options.put("resourceVersionMatch", "NotOlderThan");
    try {
      return client.watch(selection, options);
    } catch (ApiException e) {
      if (e.reason() == Reason.INVALID || e.reason() == Reason.BAD_REQUEST) {
        streamsLists = false;
      }
      throw e;
    }
  }

  private void relist() throws InterruptedException {
    ApiClient.Listed listed = client.listWithRevision(selection);
    receivers.forEach(WatchReceiver::begin);
    for (ApiObject object : listed.objects()) {
      ObjectName name = ObjectName.of(object.meta());
      receivers.forEach(receiver -> receiver.changed(name, object));
    }
    receivers.forEach(WatchReceiver::complete);
    revision = listed.resourceVersion();
  }

  private void apply(byte[] event) throws IOException {
    if (!(ObjectReader.untypedJson(ManagedFields.removedFromEvent(event))
        instanceof MapNode tree)) {
      throw new IOException("an event is not a JSON object");
    }
    ApiObject object = new ApiObject(tree.map("object"));
    switch (tree.text("type")) {
      case "ADDED", "MODIFIED" -> {
        ObjectName name = ObjectName.of(object.meta());
        receivers.forEach(receiver -> receiver.changed(name, object));
        passed(object.meta());
      }
      case "DELETED" -> {
        ObjectName name = ObjectName.of(object.meta());
        receivers.forEach(receiver -> receiver.deleted(name));
        passed(object.meta());
      }
      case "BOOKMARK" -> {
        if (collecting && object.meta().annotations().containsKey(INITIAL_END)) {
          receivers.forEach(WatchReceiver::complete);
          collecting = false;
        }
        passed(object.meta());
      }
      case "ERROR" -> throw StatusErrors.of(500, object.root());
      default -> throw new IOException("an event of type " + tree.text("type"));
    }
  }

  /** An incomplete state has no revision to go on from. */
  private void passed(ObjectMeta meta) {
    if (!collecting) {
      revision = meta.resourceVersion();
    }
  }
}
