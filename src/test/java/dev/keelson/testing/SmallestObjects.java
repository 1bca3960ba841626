package dev.keelson.testing;

import dev.keelson.api.GroupVersion;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.proto.ProtoSchemas;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** One object of every stored resource, from {@code objects/smallest.yaml}. */
public final class SmallestObjects {

  private static final String FILE = "/objects/smallest.yaml";

  private static final Set<String> WRITTEN_BY_CONTROLLERS =
      Set.of(
          "customresourcedefinitions",
          "apiservices",
          "resourcequotas",
          "validatingadmissionpolicies");

  private SmallestObjects() {}

  /** Every stored resource in every served version. */
  public static List<ResourceDefinition> resources() {
    ProtoSchemas schemas = ProtoSchemas.fromClassPath();
    return BuiltInResources.all(schemas::struct).stream()
        .filter(definition -> definition.storage() != null)
        .toList();
  }

  /**
   * Every stored resource whose objects nobody but the client writes: the status of a definition,
   * an APIService, a quota or a policy is set as soon as it is there.
   */
  public static List<ResourceDefinition> undisturbed() {
    return resources().stream()
        .filter(each -> !WRITTEN_BY_CONTROLLERS.contains(each.gvr().resource()))
        .toList();
  }

  /**
   * Returns the object of a resource.
   *
   * @param namespace the namespace, also for fields that refer to one
   * @param name its name, unless the file sets one
   * @param index from 0 to 99, for objects that must differ in other fields
   */
  public static Map<String, Object> of(
      ResourceDefinition resource, String namespace, String name, int index) {
    String apiVersion =
        new GroupVersion(resource.gvr().group(), resource.gvr().version()).toString();
    if (resource.custom() != null) {
      return new LinkedHashMap<>(
          Map.of(
              "apiVersion",
              apiVersion,
              "kind",
              resource.kind(),
              "metadata",
              new LinkedHashMap<>(Map.of("name", name)),
              "spec",
              Map.of("image", "image-" + index)));
    }
    for (Object document : documents(namespace, index)) {
      Map<String, Object> object = map(document);
      if (apiVersion.equals(object.get("apiVersion"))
          && resource.kind().equals(object.get("kind"))) {
        Map<String, Object> metadata = map(object.getOrDefault("metadata", Map.of()));
        metadata.putIfAbsent("name", name);
        object.put("metadata", metadata);
        return object;
      }
    }
    throw new AssertionError(FILE + " has no " + apiVersion + " " + resource.kind());
  }

  private static Iterable<Object> documents(String namespace, int index) {
    try (InputStream in = SmallestObjects.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new AssertionError("there is no " + FILE);
      }
      String text =
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .replace("@NAMESPACE@", namespace)
              .replace("@INDEX@", Integer.toString(index));
      return new Load(LoadSettings.builder().build()).loadAllFromString(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A copy with keys as text. */
  private static Map<String, Object> map(Object value) {
    Map<String, Object> copy = new LinkedHashMap<>();
    ((Map<?, ?>) value).forEach((key, entry) -> copy.put(String.valueOf(key), entry));
    return copy;
  }
}
