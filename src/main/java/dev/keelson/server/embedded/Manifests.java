package dev.keelson.server.embedded;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.client.rest.ApiTransport.Answer;
import dev.keelson.client.rest.ApiTransport.Request;
import dev.keelson.client.rest.StatusErrors;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Text;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Applies manifests as a test writes them and removes objects again. Manifests are applied by
 * server-side apply: several documents of YAML or JSON, in their order. Waits for a
 * CustomResourceDefinition to be served before it goes on. Safe for use by several threads.
 */
public final class Manifests {

  private static final Pattern SEPARATOR = Pattern.compile("(?m)^---(?:[ \\t].*)?$");
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final String DEFINITION = "CustomResourceDefinition";

  private final ApiTransport administrator;
  private final ResourceCatalog catalog;

  /**
   * @param administrator sends requests of a user who may do everything
   * @param catalog the types that the server serves
   */
  public Manifests(ApiTransport administrator, ResourceCatalog catalog) {
    this.administrator = administrator;
    this.catalog = catalog;
  }

  /**
   * Applies the documents of {@code text}; empty ones and comments are left out.
   *
   * @param namespace of namespaced objects that name none
   * @return how many objects were applied
   * @throws IllegalArgumentException if a document is no object, or of a type that is not served
   * @throws dev.keelson.api.ApiException if the server refuses one
   */
  public int apply(String text, String namespace) throws IOException, InterruptedException {
    int applied = 0;
    for (String document : SEPARATOR.split(text)) {
      if (document
          .lines()
          .allMatch(line -> line.isBlank() || line.stripLeading().startsWith("#"))) {
        continue;
      }
      if (!(ObjectReader.untypedYaml(document.getBytes(StandardCharsets.UTF_8))
          instanceof MapNode object)) {
        throw new IllegalArgumentException("not an object: " + document);
      }
      applyOne(object, namespace);
      applied++;
    }
    return applied;
  }

  /**
   * Deletes the object of a path.
   *
   * @return false if there is none
   * @throws dev.keelson.api.ApiException if the server refuses
   */
  public boolean delete(String path) throws IOException, InterruptedException {
    Answer answer = administrator.send(Request.of("DELETE", path, Map.of()));
    if (answer.status() == 404) {
      return false;
    }
    if (answer.status() >= 400) {
      throw StatusErrors.of(answer);
    }
    return true;
  }

  private void applyOne(MapNode object, String namespace) throws IOException, InterruptedException {
    GroupVersion version = GroupVersion.parse(object.text("apiVersion"));
    String kind = object.text("kind");
    ResourceDefinition type =
        catalog
            .current()
            .find(new GroupVersionKind(version.group(), version.version(), kind))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "no type %s of %s is served".formatted(kind, object.text("apiVersion"))));
    String name = object.map("metadata").text("name");
    if (name.isEmpty()) {
      throw new IllegalArgumentException(kind + " without metadata.name");
    }
    MapNode placed = type.namespaced() ? placed(object, namespace) : object;
    String path = path(type.gvr(), placed.map("metadata").text("namespace"), name);
    Answer answer =
        administrator.send(
            new Request(
                "PATCH",
                path,
                Map.of("fieldManager", "keelson-junit", "force", "true"),
                "application/apply-patch+yaml",
                ObjectWriter.json(placed)));
    if (answer.status() >= 400) {
      throw StatusErrors.of(answer);
    }
    if (kind.equals(DEFINITION)) {
      awaitServed(path, name);
    }
  }

  private static MapNode placed(MapNode object, String namespace) {
    MapNode meta = object.map("metadata");
    return meta.text("namespace").isEmpty()
        ? object.with("metadata", meta.with("namespace", new Text(namespace)))
        : object;
  }

  private static String path(GroupVersionResource resource, String namespace, String name) {
    String base =
        resource.group().isEmpty()
            ? "/api/" + resource.version()
            : "/apis/" + resource.group() + "/" + resource.version();
    String place = namespace.isEmpty() ? base : base + "/namespaces/" + namespace;
    return place + "/" + resource.resource() + "/" + name;
  }

  private void awaitServed(String path, String name) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (!isEstablished(path) || !isInCatalog(name)) {
      if (System.nanoTime() - begin > LONGEST.toNanos()) {
        throw new IOException(path + " is not served after " + LONGEST);
      }
      Thread.sleep(PAUSE);
    }
  }

  /** Whether a type of a name, {@code PLURAL.GROUP}, is served. */
  private boolean isInCatalog(String name) {
    return catalog.snapshot().all().stream()
        .anyMatch(type -> (type.gvr().resource() + "." + type.gvr().group()).equals(name));
  }

  private boolean isEstablished(String path) throws IOException, InterruptedException {
    Answer answer = administrator.send(Request.of("GET", path, Map.of()));
    if (answer.status() >= 400
        || !(ObjectReader.untypedJson(answer.body()) instanceof MapNode definition)) {
      throw StatusErrors.of(answer);
    }
    for (MapNode condition : definition.map("status").maps("conditions")) {
      if (condition.text("status").equals("False")
          && condition.text("type").equals("NamesAccepted")) {
        throw new IOException(path + " is not accepted: " + condition.text("message"));
      }
      if (condition.text("status").equals("True") && condition.text("type").equals("Established")) {
        return true;
      }
    }
    return false;
  }
}
