package dev.keelson.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResource;
import dev.keelson.schema.CustomResourceRows;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.proto.ProtoSchemas;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The custom types of {@code objects/custom-types.yaml}, which the suites over all types include.
 */
public final class MatrixTypes {

  private static final String FILE = "/objects/custom-types.yaml";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final Gson GSON = new Gson();

  /** The servers that have the types: JUnit makes a test instance, which asks, for each case. */
  private static final Set<URI> INSTALLED = ConcurrentHashMap.newKeySet();

  private MatrixTypes() {}

  /** Every served version of every custom type. */
  public static List<ResourceDefinition> resources() {
    CustomResourceRows rows = new CustomResourceRows(ProtoSchemas.fromClassPath()::struct);
    List<ResourceDefinition> resources = new ArrayList<>();
    for (Map<?, ?> definition : definitions()) {
      MapNode tree =
          (MapNode) TreeJson.read(GSON.toJson(definition).getBytes(StandardCharsets.UTF_8));
      MapNode established =
          tree.with(
              "status",
              MapNode.of("acceptedNames", tree.map("spec").map("names"))
                  .with(
                      "conditions",
                      new Node.Items(
                          List.of(
                              MapNode.of("type", Node.text("Established"))
                                  .with("status", Node.text("True"))))));
      String name = tree.map("metadata").text("name");
      resources.addAll(rows.of(new CustomResource(name, "", () -> tree), established));
    }
    return resources;
  }

  /**
   * Creates the definitions on a server, if it does not have them, and waits until they are served.
   */
  public static void install(RestClient client) {
    if (!INSTALLED.add(client.address())) {
      return;
    }
    for (Map<?, ?> definition : definitions()) {
      Response created = client.post(DEFINITIONS, definition);
      assertThat(created.statusCode()).as(created.asString()).isIn(201, 409);
    }
    for (ResourceDefinition resource : resources()) {
      String path =
          "/apis/"
              + resource.gvr().group()
              + "/"
              + resource.gvr().version()
              + "/"
              + resource.gvr().resource();
      Eventually.assertEventually(
          () -> assertThat(client.get(path).statusCode()).as(path).isEqualTo(200));
    }
  }

  private static List<Map<?, ?>> definitions() {
    try (InputStream in = MatrixTypes.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new AssertionError("there is no " + FILE);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      List<Map<?, ?>> definitions = new ArrayList<>();
      new Load(LoadSettings.builder().build())
          .loadAllFromString(text)
          .forEach(document -> definitions.add((Map<?, ?>) document));
      return definitions;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
