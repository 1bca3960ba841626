package dev.keelson.http.discovery;

import dev.keelson.api.GroupVersion;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Route;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.codec.ObjectWriter;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Serves {@code /} and {@code /index.html} with the list of served paths (source:
 * server/routes/index.go).
 *
 * @param catalog the groups and versions that this server serves
 * @param remotes those of other servers
 * @param others supplies the other paths for each request
 */
public record RootPaths(
    ResourceCatalog catalog, RemoteGroups remotes, Supplier<List<String>> others) implements Route {

  @Override
  public Optional<ApiResponse> answer(ApiRequest request) {
    if (!serves(request.path()) || !request.method().equals("GET")) {
      return Optional.empty();
    }
    // Kubernetes ignores the Accept header here
    return Optional.of(
        ApiResponse.of(200, "application/json", ObjectWriter.prettyJson(document())));
  }

  @Override
  public boolean serves(String path) {
    return path.equals("/") || path.equals("/index.html");
  }

  private MapNode document() {
    SortedSet<String> paths = new TreeSet<>(others.get());
    ResourceCatalog.Snapshot snapshot = catalog.snapshot();
    paths.add("/api");
    ApiGroups.core(snapshot).forEach(version -> paths.add("/api/" + version.version()));
    paths.add("/apis");
    paths.add("/apis/");
    ApiGroups.served(snapshot, remotes.services())
        .forEach(
            (name, versions) -> {
              paths.add("/apis/" + name);
              for (GroupVersion version : versions) {
                paths.add("/apis/" + version);
              }
            });
    return MapNode.of("paths", Node.texts(List.copyOf(paths)));
  }
}
