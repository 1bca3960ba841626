package dev.keelson.http.discovery;

import dev.keelson.api.GroupVersion;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Route;
import dev.keelson.http.discovery.DiscoveryFormat.Choice;
import dev.keelson.http.media.Format;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceCatalog.Snapshot;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code /api}, {@code /apis}, {@code /api/v1}, {@code /apis/{group}} and {@code
 * /apis/{group}/{version}}. Safe for use by several threads; concurrent first requests build a
 * document once.
 */
public final class Discovery implements Route {

  private static final Set<DiscoveryFormat> PLAIN_ONLY = EnumSet.of(DiscoveryFormat.PLAIN);
  private static final Set<DiscoveryFormat> EVERY_FORMAT = EnumSet.allOf(DiscoveryFormat.class);

  private final ResourceCatalog catalog;
  private final DocumentEncoder encoder;
  private final Supplier<String> serverAddress;
  private final RemoteGroups remotes;
  private volatile Documents documents;

  private record Key(String path, DiscoveryFormat form, Format format) {}

  /**
   * A document.
   *
   * @param source what it was made from; it is made again when another object has taken its place
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Document(byte[] body, String tag, Object source) {}

  /**
   * The documents of one state of the catalog and of the remote groups. States with the same group
   * versions share what the lists of their groups are, and the documents.
   *
   * @param listed the named groups as their APIServices list them
   * @param served all named groups
   */
  private record Documents(
      Snapshot snapshot,
      long remote,
      Map<String, List<GroupVersion>> listed,
      Map<String, List<GroupVersion>> served,
      Map<Key, Document> byKey) {}

  /**
   * Discovery of what {@code catalog} serves.
   *
   * @param encoder writes the documents
   * @param serverAddress host and port where clients reach the server; called when {@code /api} is
   *     first built
   * @param remotes the groups of other servers
   */
  public Discovery(
      ResourceCatalog catalog,
      DocumentEncoder encoder,
      Supplier<String> serverAddress,
      RemoteGroups remotes) {
    this.remotes = remotes;
    this.catalog = catalog;
    this.encoder = encoder;
    this.serverAddress = serverAddress;
    this.documents = documents(catalog.snapshot(), remotes.generation(), null);
  }

  /**
   * Handles a request.
   *
   * @return empty if the method is not GET or the path is not served
   * @throws ApiException NotAcceptable if no supported type is acceptable
   */
  @Override
  public Optional<ApiResponse> answer(ApiRequest request) {
    return request.method().equals("GET")
        ? answer(
            request.path(),
            String.join(",", request.headerValues("Accept")),
            request.header("If-None-Match"))
        : Optional.empty();
  }

  @Override
  public boolean serves(String path) {
    return plain(current(), withoutSlash(path)) != null;
  }

  private static String withoutSlash(String path) {
    return path.endsWith("/") && path.length() > 1 ? path.substring(0, path.length() - 1) : path;
  }

  /**
   * Handles a GET.
   *
   * @param path the request's path without the query; a slash at its end is ignored
   * @param accept the Accept header, empty if there is none
   * @param ifNoneMatch the If-None-Match header, empty if there is none
   * @return empty if the path is not served
   * @throws ApiException NotAcceptable if no supported type is acceptable
   */
  Optional<ApiResponse> answer(String path, String accept, String ifNoneMatch) {
    String plainPath = withoutSlash(path);
    Documents current = current();
    boolean root = plainPath.equals("/api") || plainPath.equals("/apis");
    if (!root && plain(current, plainPath) == null) {
      return Optional.empty();
    }
    Choice choice = DiscoveryFormat.choose(accept, root ? EVERY_FORMAT : PLAIN_ONLY);
    Key key = new Key(plainPath, choice.form(), choice.format());
    Object source = source(current, key);
    Document document = current.byKey.get(key);
    if (document == null || document.source != source) {
      document =
          current.byKey.compute(
              key,
              (same, known) ->
                  known != null && known.source == source ? known : build(current, key, source));
    }
    return Optional.of(answer(document, choice, ifNoneMatch));
  }

  private static ApiResponse answer(Document document, Choice choice, String ifNoneMatch) {
    ApiResponse answer =
        ApiResponse.of(200, choice.contentType(), document.body).with("Vary", "Accept");
    if (choice.form() == DiscoveryFormat.PLAIN) {
      return answer;
    }
    // source: apiserver, discovery/aggregated, etag.go
    answer = answer.with("ETag", document.tag).with("Cache-Control", "public");
    return EntityTag.matches(ifNoneMatch, document.tag) ? EntityTag.notModified(answer) : answer;
  }

  private Documents current() {
    Documents known = documents;
    Snapshot snapshot = catalog.current();
    long remote = remotes.generation();
    if (known.snapshot.generation() != snapshot.generation() || known.remote != remote) {
      known = documents(snapshot, remote, known);
      documents = known;
    }
    return known;
  }

  private Documents documents(Snapshot snapshot, long remote, @Nullable Documents before) {
    if (before != null
        && before.remote == remote
        && before.snapshot.versionsGeneration() == snapshot.versionsGeneration()) {
      return new Documents(snapshot, remote, before.listed, before.served, before.byKey);
    }
    return new Documents(
        snapshot,
        remote,
        ApiGroups.listed(snapshot, remotes.services()),
        ApiGroups.served(snapshot, remotes.services()),
        new ConcurrentHashMap<>());
  }

  /** What a document is made from: an object that is replaced when the document changes. */
  private static Object source(Documents current, Key key) {
    if (key.form != DiscoveryFormat.PLAIN) {
      return current.snapshot;
    }
    String[] steps = key.path.split("/", -1);
    return switch (steps.length) {
      case 3 ->
          steps[1].equals("api")
              ? current.snapshot.resources(new GroupVersion("", steps[2]))
              : current.listed;
      case 4 -> current.snapshot.resources(new GroupVersion(steps[2], steps[3]));
      default -> current.listed;
    };
  }

  private Document build(Documents current, Key key, Object source) {
    Snapshot snapshot = current.snapshot;
    Supplier<MapNode> plain = plain(current, key.path);
    boolean core = key.path.equals("/api");
    MapNode tree =
        key.form == DiscoveryFormat.PLAIN && plain != null
            ? plain.get()
            : core
                ? AggregatedDocuments.core(snapshot, key.form)
                : AggregatedDocuments.named(snapshot, remotes, current.served, key.form);
    byte[] body = encoder.encode(tree, key.format);
    return new Document(body, EntityTag.of(body), source);
  }

  /** Returns the builder of the plain document at {@code path}; null if there is none. */
  private @Nullable Supplier<MapNode> plain(Documents current, String path) {
    Snapshot snapshot = current.snapshot;
    String[] steps = path.split("/", -1);
    return switch (steps.length) {
      case 2 ->
          switch (steps[1]) {
            case "api" -> () -> PlainDocuments.versions(snapshot, serverAddress.get());
            case "apis" -> () -> PlainDocuments.groupList(current.listed);
            default -> null;
          };
      case 3 ->
          switch (steps[1]) {
            case "api" -> resources(snapshot, new GroupVersion("", steps[2]));
            case "apis" -> group(current, steps[2]);
            default -> null;
          };
      case 4 ->
          steps[1].equals("apis") && !steps[2].isEmpty()
              ? resources(snapshot, new GroupVersion(steps[2], steps[3]))
              : null;
      default -> null;
    };
  }

  private static @Nullable Supplier<MapNode> group(Documents current, String name) {
    // without an APIService this server answers for itself
    List<GroupVersion> versions =
        current.listed.getOrDefault(name, current.served.getOrDefault(name, List.of()));
    return versions.isEmpty() ? null : () -> PlainDocuments.group(name, versions);
  }

  private static @Nullable Supplier<MapNode> resources(Snapshot snapshot, GroupVersion version) {
    return snapshot.resources(version).isEmpty()
        ? null
        : () -> PlainDocuments.resourceList(snapshot, version);
  }
}
