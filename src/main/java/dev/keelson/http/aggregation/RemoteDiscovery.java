package dev.keelson.http.aggregation;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiService.Backend;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.GroupVersion;
import dev.keelson.http.discovery.RemoteGroups;
import dev.keelson.http.media.MediaType;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
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
  private static final Set<String> VERSIONS = Set.of("v2", "v2beta1");
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
   * @param server that said it
   * @param tag the ETag of the document that it is from, or empty
   */
  private record Known(Node.Items resources, boolean stale, Backend server, String tag) {

    Known staleNow() {
      return new Known(resources, /* stale= */ true, server, tag);
    }
  }

  /** Nothing is read yet. */
  public RemoteDiscovery(ApiServices services, RemoteFetch fetch) {
    this.services = services;
    this.fetch = fetch;
  }

  @Override
  public ApiServices.Snapshot services() {
    return services.snapshot();
  }

  @Override
  public long generation() {
    // both only rise, so that their sum names one state
    return services.snapshot().generation() + changes.get();
  }

  @Override
  public Optional<MapNode> discovery(GroupVersion version) {
    if (!services.snapshot().remotes().containsKey(version)) {
      return Optional.empty();
    }
    Known read = known.get(version);
    MapNode.Builder entry = MapNode.builder(3).put("version", Node.text(version.version()));
    if (read != null && !read.resources.values().isEmpty()) {
      entry.put("resources", read.resources);
    }
    boolean stale = read == null || read.stale;
    return Optional.of(entry.put("freshness", Node.text(stale ? "Stale" : "Current")).build());
  }

  /**
   * Reads the documents of all remote group versions; blocks.
   *
   * @throws IOException if those of an available server cannot be read; to be called again soon
   * @throws InterruptedException if the thread is interrupted
   */
  public void refresh() throws IOException, InterruptedException {
    Map<GroupVersion, ApiService> remotes = services.snapshot().remotes();
    if (known.keySet().retainAll(remotes.keySet())) {
      changes.incrementAndGet();
    }
    Collection<String> unread = RemoteServers.read(remotes.values(), this::read);
    if (!unread.isEmpty()) {
      throw new IOException("cannot read the discovery documents of " + String.join(", ", unread));
    }
  }

  /** Whether everything was read that an available server has. */
  private boolean read(Backend server, List<ApiService> all) {
    all.stream()
        .filter(service -> !service.available())
        .forEach(service -> keepStale(service.groupVersion()));
    List<ApiService> available = all.stream().filter(ApiService::available).toList();
    if (available.isEmpty()) {
      return true;
    }
    String tag = tag(server, available);
    try {
      RemoteFetch.Document document =
          fetch.get(available.getFirst(), "/apis", AGGREGATED, tag, TIMEOUT, MOST_BYTES);
      if (document.status() == 304 && !tag.isEmpty()) {
        available.forEach(
            service ->
                known.computeIfPresent(
                    service.groupVersion(),
                    (version, before) ->
                        changed(before, new Known(before.resources, false, server, tag))));
        return true;
      }
      if (document.status() == 503) {
        // it is not there: what it says of its group versions would not be, either
        throw new IOException("the server answered 503");
      }
      if (document.status() != 200 || !isAggregated(document.type())) {
        return readEach(server, available);
      }
      if (!(tree(document) instanceof MapNode list)) {
        throw new IOException("the document is no object");
      }
      for (ApiService service : available) {
        Node.Items resources = RemoteResources.aggregated(list, service.groupVersion());
        keep(service.groupVersion(), new Known(resources, false, server, document.tag()));
      }
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.debugf("event=discovery-not-read server=%s error=%s", server, e.getMessage());
      available.forEach(service -> keepStale(service.groupVersion()));
      return false;
    }
  }

  /** Whether a Content-Type is that of an aggregated document in a version that is known here. */
  private static boolean isAggregated(String contentType) {
    return MediaType.parse(contentType)
        .filter(
            type ->
                type.parameter("as").equals("APIGroupDiscoveryList")
                    && type.parameter("g").equals("apidiscovery.k8s.io")
                    && VERSIONS.contains(type.parameter("v")))
        .isPresent();
  }

  /** The ETag of the document that all of these are from, empty if there is no such one. */
  private String tag(Backend server, List<ApiService> available) {
    String common = null;
    for (ApiService service : available) {
      Known before = known.get(service.groupVersion());
      if (before == null
          || !before.server.equals(server)
          || (common != null && !common.equals(before.tag))) {
        return "";
      }
      common = before.tag;
    }
    return common == null ? "" : common;
  }

  /** Reads the documents of servers without aggregated discovery. */
  private boolean readEach(Backend server, List<ApiService> available) {
    boolean all = true;
    for (ApiService service : available) {
      GroupVersion version = service.groupVersion();
      try {
        RemoteFetch.Document document =
            fetch.get(service, RemoteFetch.path(version), PLAIN, "", TIMEOUT, MOST_BYTES);
        if (document.status() != 200 || !(tree(document) instanceof MapNode list)) {
          throw new IOException("the server answered " + document.status());
        }
        keep(version, new Known(RemoteResources.plain(list), false, server, ""));
      } catch (IOException | RuntimeException e) {
        LOG.debugf("event=discovery-not-read service=%s error=%s", service.name(), e.getMessage());
        keepStale(version);
        all = false;
      }
    }
    return all;
  }

  private static Node tree(RemoteFetch.Document document) {
    return ObjectReader.untypedJson(document.body());
  }

  private void keep(GroupVersion version, Known read) {
    Known unused = known.compute(version, (key, before) -> changed(before, read));
  }

  private void keepStale(GroupVersion version) {
    Known unused =
        known.computeIfPresent(version, (key, before) -> changed(before, before.staleNow()));
  }

  /** What is known from now on; the one before if it says the same. */
  private Known changed(@Nullable Known before, Known after) {
    if (after.equals(before)) {
      return after;
    }
    changes.incrementAndGet();
    return after;
  }
}
