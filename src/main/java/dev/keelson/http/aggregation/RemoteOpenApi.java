package dev.keelson.http.aggregation;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiService.Backend;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.GroupVersion;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.openapi.RemoteDocuments;
import dev.keelson.schema.openapi.merge.SwaggerSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAPI documents of remote API servers, as they were last read (source: kube-aggregator's
 * {@code controllers/openapi} and {@code controllers/openapiv3}). {@link #refresh} reads them;
 * nobody else waits for a server. A server that does not answer keeps its documents until its
 * APIService goes; one that has none (404) is left out.
 *
 * <p>Of Swagger 2.0 the paths of the registered group versions are held, with what they refer to.
 * Of OpenAPI 3.0 only the index is: the servers answer the requests for the documents themselves.
 */
public final class RemoteOpenApi implements RemoteDocuments {

  private static final Logger LOG = Logger.getLogger(RemoteOpenApi.class);

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int MOST_BYTES = 16 * 1024 * 1024;
  private static final String JSON = "application/json";
  private static final String V3 = "/openapi/v3/";

  /** The hash in a URL of the index; kube-openapi writes hexadecimal digits. */
  private static final Pattern HASH = Pattern.compile("[?&]hash=([A-Za-z0-9._~-]{1,256})(?:&|$)");

  private final ApiServices services;
  private final RemoteFetch fetch;

  /** By the group version of the APIService; written by the threads of one refresh. */
  private final Map<GroupVersion, Known> known = new ConcurrentHashMap<>();

  private final Map<Backend, Tags> tags = new ConcurrentHashMap<>();
  private volatile Documents documents = new Documents(Map.of(), RemoteDocuments.NONE.snapshot());

  /**
   * What a server said of a group version.
   *
   * @param swagger its part of the Swagger 2.0 document, null if the server has none
   * @param index the URLs of its documents of OpenAPI 3.0
   */
  private record Known(@Nullable Swagger swagger, Map<String, String> index) {
    static final Known NOTHING = new Known(null, Map.of());

    Known withSwagger(@Nullable Swagger next) {
      return new Known(next, index);
    }

    Known withIndex(Map<String, String> next) {
      return new Known(swagger, next);
    }
  }

  /**
   * The ETags of a server's documents.
   *
   * @param versions the group versions that were taken from them
   */
  private record Tags(String v2, String v3, List<GroupVersion> versions) {}

  /**
   * What is published.
   *
   * @param owners the group versions of the APIServices whose servers have the documents of OpenAPI
   *     3.0, by name
   */
  private record Documents(Map<String, GroupVersion> owners, Snapshot snapshot) {}

  /** Nothing is read yet. */
  public RemoteOpenApi(ApiServices services, RemoteFetch fetch) {
    this.services = services;
    this.fetch = fetch;
  }

  @Override
  public Snapshot snapshot() {
    return documents.snapshot;
  }

  /**
   * The APIService whose server has a document of OpenAPI 3.0.
   *
   * @param path of a request
   * @return null if this server answers the request
   */
  @Nullable ApiService owner(String path) {
    Map<String, GroupVersion> owners = documents.owners;
    if (owners.isEmpty() || !path.startsWith(V3)) {
      return null;
    }
    int end = path.endsWith("/") ? path.length() - 1 : path.length();
    GroupVersion version = end < V3.length() ? null : owners.get(path.substring(V3.length(), end));
    return version == null ? null : services.snapshot().remotes().get(version);
  }

  /**
   * Reads the documents of all remote servers; blocks.
   *
   * @throws IOException if those of an available server cannot be read; to be called again soon
   * @throws InterruptedException if the thread is interrupted
   */
  public void refresh() throws IOException, InterruptedException {
    Collection<ApiService> remotes = services.snapshot().remotes().values();
    boolean changed = known.keySet().retainAll(services.snapshot().remotes().keySet());
    tags.keySet().retainAll(remotes.stream().map(ApiService::backend).toList());
    if (changed) {
      publish(remotes);
    }
    AtomicBoolean read = new AtomicBoolean();
    Collection<String> unread =
        RemoteServers.read(remotes, (server, all) -> read(server, all, read));
    if (read.get()) {
      publish(services.snapshot().remotes().values());
    }
    if (!unread.isEmpty()) {
      throw new IOException("cannot read the OpenAPI documents of " + String.join(", ", unread));
    }
  }

  /** Whether everything was read that an available server has. */
  private boolean read(Backend server, List<ApiService> all, AtomicBoolean changed) {
    List<ApiService> available = all.stream().filter(ApiService::available).toList();
    if (available.isEmpty()) {
      return true;
    }
    List<GroupVersion> versions = available.stream().map(ApiService::groupVersion).toList();
    Tags before = tags.get(server);
    Tags known = before != null && before.versions.equals(versions) ? before : null;
    String v3 = known == null ? "" : known.v3;
    String v2 = known == null ? "" : known.v2;
    boolean complete = true;
    try {
      v3 = index(available, v3, changed);
    } catch (IOException | RuntimeException e) {
      LOG.debugf("event=openapi-not-read server=%s document=v3 error=%s", server, e.getMessage());
      complete = false;
    }
    try {
      v2 = swagger(available, v2, changed);
    } catch (IOException | RuntimeException e) {
      LOG.debugf("event=openapi-not-read server=%s document=v2 error=%s", server, e.getMessage());
      complete = false;
    }
    tags.put(server, new Tags(v2, v3, versions));
    return complete;
  }

  /** Reads the index of OpenAPI 3.0; the ETag by which it is known from now on. */
  private String index(List<ApiService> all, String tag, AtomicBoolean changed) throws IOException {
    RemoteFetch.Document document =
        fetch.get(all.getFirst(), "/openapi/v3", JSON, tag, TIMEOUT, MOST_BYTES);
    if (document.status() == 304 && !tag.isEmpty()) {
      return tag;
    }
    MapNode paths = found(document) ? object(document).map("paths") : MapNode.EMPTY;
    for (ApiService service : all) {
      update(service.groupVersion(), before -> before.withIndex(urls(paths, service)), changed);
    }
    return document.tag();
  }

  /** The URLs of the documents of a group version and of its group, if the server has them. */
  private static Map<String, String> urls(MapNode paths, ApiService service) {
    GroupVersion version = service.groupVersion();
    Map<String, String> urls = new HashMap<>();
    List<String> names =
        version.group().isEmpty()
            ? List.of("api/" + version.version())
            : List.of("apis/" + version, "apis/" + version.group());
    for (String name : names) {
      if (paths.get(name) instanceof MapNode entry) {
        var hash = HASH.matcher(entry.text("serverRelativeURL"));
        urls.put(name, V3 + name + (hash.find() ? "?hash=" + hash.group(1) : ""));
      }
    }
    return Map.copyOf(urls);
  }

  /** Reads the document of Swagger 2.0; the ETag by which it is known from now on. */
  private String swagger(List<ApiService> all, String tag, AtomicBoolean changed)
      throws IOException {
    RemoteFetch.Document document =
        fetch.get(all.getFirst(), "/openapi/v2", JSON, tag, TIMEOUT, MOST_BYTES);
    if (document.status() == 304 && !tag.isEmpty()) {
      return tag;
    }
    boolean found = found(document);
    SwaggerSpec spec = SwaggerSpec.of(found ? object(document) : MapNode.EMPTY);
    for (ApiService service : all) {
      GroupVersion version = service.groupVersion();
      String prefix = RemoteFetch.path(version) + "/";
      byte[] json =
          found
              ? ObjectWriter.json(spec.only(path -> path.startsWith(prefix)).tree())
              : new byte[0];
      update(
          version,
          before -> before.withSwagger(found ? swagger(version, json, before.swagger) : null),
          changed);
    }
    return document.tag();
  }

  /** The document; the one before if it says the same. */
  private static Swagger swagger(GroupVersion version, byte[] json, @Nullable Swagger before) {
    String hash = RemoteFetch.hash(json);
    return before != null && before.hash().equals(hash) ? before : new Swagger(version, json, hash);
  }

  private void update(GroupVersion version, UnaryOperator<Known> change, AtomicBoolean changed) {
    Known unused =
        known.compute(
            version,
            (key, before) -> {
              Known after = change.apply(before == null ? Known.NOTHING : before);
              if (!after.equals(before)) {
                changed.set(true);
              }
              return after;
            });
  }

  /**
   * Whether there is a document.
   *
   * @throws IOException if that is not known
   */
  private static boolean found(RemoteFetch.Document document) throws IOException {
    return switch (document.status()) {
      case 200 -> true;
      case 404 -> false;
      default -> throw new IOException("the server answered " + document.status());
    };
  }

  private static MapNode object(RemoteFetch.Document document) throws IOException {
    if (ObjectReader.untypedJson(document.body()) instanceof MapNode object) {
      return object;
    }
    throw new IOException("the document is no object");
  }

  private void publish(Collection<ApiService> remotes) {
    Map<String, GroupVersion> owners = new HashMap<>();
    Map<String, String> index = new TreeMap<>();
    List<Swagger> v2 = new ArrayList<>();
    for (ApiService service : byPriority(remotes)) {
      Known read = known.getOrDefault(service.groupVersion(), Known.NOTHING);
      read.index.forEach(
          (name, url) -> {
            if (owners.putIfAbsent(name, service.groupVersion()) == null) {
              index.put(name, url);
            }
          });
      if (read.swagger != null) {
        v2.add(read.swagger);
      }
    }
    long generation = documents.snapshot.generation() + 1;
    documents = new Documents(Map.copyOf(owners), new Snapshot(generation, v2, index));
  }

  /** By the highest priority in their groups, then by name (source: {@code sortByPriority}). */
  private static List<ApiService> byPriority(Collection<ApiService> remotes) {
    Map<String, Integer> groups = new LinkedHashMap<>();
    for (ApiService service : remotes) {
      groups.merge(service.groupVersion().group(), service.priority().group(), Math::max);
    }
    return remotes.stream()
        .sorted(
            Comparator.comparingInt(
                    (ApiService service) -> -groups.getOrDefault(service.groupVersion().group(), 0))
                .thenComparing(ApiService::name))
        .toList();
  }
}
