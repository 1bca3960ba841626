package dev.keelson.http.aggregation;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.GroupVersion;
import dev.keelson.http.discovery.RemoteGroups;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.GroupPriority;
import dev.keelson.schema.codec.ObjectReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The discovery documents of remote API servers, as they were last read (source: kube-aggregator's
 * {@code handler_discovery.go}). {@link #refresh} reads them; nobody else waits for a server. A
 * version whose server does not answer is marked as stale and keeps its resources.
 */
public final class RemoteDiscovery implements RemoteGroups {

  private static final Logger LOG = Logger.getLogger(RemoteDiscovery.class);

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MOST_BYTES = 16 * 1024 * 1024;
  private static final String PLAIN = "application/json";
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
          + "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

  private final ApiServices services;
  private final RemoteFetch fetch;
  private final Map<GroupVersion, Known> known = new ConcurrentHashMap<>();
  private final AtomicLong changes = new AtomicLong();

  /**
   * What a server said of a group version.
   *
   * @param tag the ETag of the document that it is from, or empty
   */
  private record Known(Node resources, boolean stale, String tag) {}

  /** Nothing is read yet. */
  public RemoteDiscovery(ApiServices services, RemoteFetch fetch) {
    this.services = services;
    this.fetch = fetch;
  }

  @Override
  public long generation() {
    // both only rise, so that their sum names one state
    return services.snapshot().generation() + changes.get();
  }

  @Override
  public Set<GroupVersion> versions() {
    return services.snapshot().remotes().keySet();
  }

  @Override
  public GroupPriority priority(GroupVersion version) {
    return services.snapshot().priority(version);
  }

  @Override
  public Optional<MapNode> discovery(GroupVersion version) {
    if (!services.snapshot().remotes().containsKey(version)) {
      return Optional.empty();
    }
    Known read = known.get(version);
    MapNode.Builder entry = MapNode.builder(3).put("version", Node.text(version.version()));
    if (read != null) {
      entry.put("resources", read.resources);
    }
    boolean stale = read == null || read.stale;
    return Optional.of(entry.put("freshness", Node.text(stale ? "Stale" : "Current")).build());
  }

  /**
   * Reads the documents of all remote group versions; blocks.
   *
   * @throws IOException if those of an available server cannot be read; to be called again soon
   */
  public void refresh() throws IOException {
    Map<GroupVersion, ApiService> remotes = services.snapshot().remotes();
    boolean changed = known.keySet().retainAll(remotes.keySet());
    List<String> unread = new ArrayList<>();
    for (Map.Entry<GroupVersion, ApiService> remote : remotes.entrySet()) {
      Known before = known.get(remote.getKey());
      Known after = read(remote.getValue(), before);
      if (remote.getValue().available() && (after == null || after.stale)) {
        unread.add(remote.getValue().name());
      }
      if (after != null && !after.equals(before)) {
        known.put(remote.getKey(), after);
        changed = true;
      }
    }
    if (changed) {
      changes.incrementAndGet();
    }
    if (!unread.isEmpty()) {
      throw new IOException("cannot read the discovery documents of " + String.join(", ", unread));
    }
  }

  private @Nullable Known read(ApiService service, @Nullable Known before) {
    try {
      if (!service.available()) {
        throw new IOException("service unavailable");
      }
      RemoteFetch.Document document =
          fetch.get(
              service, "/apis", AGGREGATED, before == null ? "" : before.tag, TIMEOUT, MOST_BYTES);
      if (document.status() == 304 && before != null) {
        return new Known(before.resources, false, before.tag);
      }
      if (document.status() == 200 && tree(document) instanceof MapNode list) {
        if (list.text("kind").equals("APIGroupDiscoveryList")) {
          return new Known(resources(list, service.groupVersion()), false, document.tag());
        }
      }
      return new Known(plain(service), false, "");
    } catch (IOException | RuntimeException e) {
      LOG.debugf("event=discovery-not-read service=%s error=%s", service.name(), e.getMessage());
      return before == null ? null : new Known(before.resources, true, before.tag);
    }
  }

  private static Node tree(RemoteFetch.Document document) {
    return ObjectReader.untypedJson(document.body());
  }

  private static Node resources(MapNode list, GroupVersion wanted) {
    for (MapNode group : list.maps("items")) {
      if (group.map("metadata").text("name").equals(wanted.group())) {
        for (MapNode version : group.maps("versions")) {
          if (version.text("version").equals(wanted.version())) {
            return new Node.Items(
                version.maps("resources").stream().map(RemoteDiscovery::resource).toList());
          }
        }
      }
    }
    return new Node.Items(List.of());
  }

  /** The known fields alone, each of its type: the document is not ours. */
  private static Node resource(MapNode sent) {
    MapNode.Builder resource =
        MapNode.builder(8)
            .put("resource", Node.text(sent.text("resource")))
            .put("responseKind", kind(sent.map("responseKind")))
            .put("scope", Node.text(sent.text("scope")))
            .put("singularResource", Node.text(sent.text("singularResource")))
            .put("verbs", texts(sent, "verbs"));
    for (String list : List.of("shortNames", "categories")) {
      if (!sent.items(list).isEmpty()) {
        resource.put(list, texts(sent, list));
      }
    }
    List<Node> subresources = new ArrayList<>();
    for (MapNode sub : sent.maps("subresources")) {
      subresources.add(
          MapNode.builder(3)
              .put("subresource", Node.text(sub.text("subresource")))
              .put("responseKind", kind(sub.map("responseKind")))
              .put("verbs", texts(sub, "verbs"))
              .build());
    }
    if (!subresources.isEmpty()) {
      resource.put("subresources", new Node.Items(subresources));
    }
    return resource.build();
  }

  private static Node kind(MapNode sent) {
    return MapNode.builder(3)
        .put("group", Node.text(sent.text("group")))
        .put("version", Node.text(sent.text("version")))
        .put("kind", Node.text(sent.text("kind")))
        .build();
  }

  private static Node texts(MapNode sent, String field) {
    return Node.texts(
        sent.items(field).stream()
            .filter(Node.Text.class::isInstance)
            .map(each -> ((Node.Text) each).value())
            .toList());
  }

  /** From the document of servers without aggregated discovery. */
  private Node plain(ApiService service) throws IOException {
    GroupVersion version = service.groupVersion();
    String path =
        version.group().isEmpty()
            ? "/api/" + version.version()
            : "/apis/" + version.group() + "/" + version.version();
    RemoteFetch.Document document = fetch.get(service, path, PLAIN, "", TIMEOUT, MOST_BYTES);
    if (document.status() != 200 || !(tree(document) instanceof MapNode list)) {
      throw new IOException("failed to download discovery for " + path);
    }
    Map<String, MapNode> byName = new LinkedHashMap<>();
    for (MapNode each : list.maps("resources")) {
      if (!each.text("name").contains("/")) {
        byName.put(each.text("name"), fromPlain(each));
      }
    }
    for (MapNode each : list.maps("resources")) {
      int slash = each.text("name").indexOf('/');
      String parent = slash < 0 ? "" : each.text("name").substring(0, slash);
      MapNode owner = byName.get(parent);
      if (owner != null) {
        List<Node> subresources = new ArrayList<>(owner.items("subresources"));
        subresources.add(
            MapNode.of("subresource", Node.text(each.text("name").substring(slash + 1)))
                .with("responseKind", each)
                .with("verbs", texts(each, "verbs")));
        byName.put(parent, owner.with("subresources", new Node.Items(subresources)));
      }
    }
    return new Node.Items(byName.values().stream().map(RemoteDiscovery::resource).toList());
  }

  private static MapNode fromPlain(MapNode each) {
    return each.with("resource", Node.text(each.text("name")))
        .with("responseKind", each)
        .with(
            "scope", Node.text(each.get("namespaced") == Node.Bool.TRUE ? "Namespaced" : "Cluster"))
        .with("singularResource", Node.text(each.text("singularName")))
        .without("subresources");
  }
}
