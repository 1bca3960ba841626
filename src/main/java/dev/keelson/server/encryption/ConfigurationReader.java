package dev.keelson.server.encryption;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.codec.tree.Untyped;
import dev.keelson.server.encryption.EncryptionConfiguration.Key;
import dev.keelson.server.encryption.EncryptionConfiguration.Keys;
import dev.keelson.server.encryption.EncryptionConfiguration.KmsConfiguration;
import dev.keelson.server.encryption.EncryptionConfiguration.ProviderConfiguration;
import dev.keelson.server.encryption.EncryptionConfiguration.ResourceConfiguration;
import dev.keelson.value.GoDuration;
import dev.keelson.value.GoQuote;
import dev.keelson.value.ValueFormatException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decodes an EncryptionConfiguration from YAML or JSON, strictly: unknown and duplicate fields are
 * errors. Sets Kubernetes' defaults (apiserver pkg/apis/apiserver/v1/defaults.go).
 */
final class ConfigurationReader {

  private static final Duration KMS_TIMEOUT = Duration.ofSeconds(3);

  private final List<String> problems = new ArrayList<>();

  private ConfigurationReader() {}

  /**
   * Decodes a file.
   *
   * @throws IllegalArgumentException if it is no EncryptionConfiguration
   */
  static EncryptionConfiguration read(byte[] yaml) {
    Untyped document;
    try {
      document = ObjectReader.untypedYaml(yaml, FieldValidation.STRICT, TreeBudget.unbounded());
    } catch (DecodeException e) {
      throw new IllegalArgumentException(e.text(), e);
    }
    if (!(document.root() instanceof MapNode root)) {
      throw new IllegalArgumentException("expected an object");
    }
    checkKind(root);
    ConfigurationReader reader = new ConfigurationReader();
    reader.problems.addAll(document.problems());
    EncryptionConfiguration configuration = reader.configuration(root);
    if (!reader.problems.isEmpty()) {
      throw new IllegalArgumentException(
          "strict decoding error: " + String.join(", ", reader.problems));
    }
    return configuration;
  }

  private static void checkKind(MapNode root) {
    String version = root.text("apiVersion");
    String kind = root.text("kind");
    if (kind.isEmpty()) {
      throw new IllegalArgumentException("Object 'Kind' is missing");
    }
    if (version.isEmpty()) {
      throw new IllegalArgumentException("Object 'apiVersion' is missing");
    }
    boolean current =
        version.equals("apiserver.config.k8s.io/v1") && kind.equals("EncryptionConfiguration");
    // the name of the first releases, which kube-apiserver still accepts
    boolean old = version.equals("v1") && kind.equals("EncryptionConfig");
    if (!current && !old) {
      throw new IllegalArgumentException(
          "no kind "
              + GoQuote.quote(kind)
              + " is registered for version "
              + GoQuote.quote(version)
              + "; expected EncryptionConfiguration in apiserver.config.k8s.io/v1");
    }
  }

  private EncryptionConfiguration configuration(MapNode root) {
    rejectUnknown("", root, "apiVersion", "kind", "resources");
    return new EncryptionConfiguration(items("resources", root.get("resources"), this::resource));
  }

  private ResourceConfiguration resource(String at, Node node) {
    MapNode map = object(at, node);
    rejectUnknown(at + ".", map, "resources", "providers");
    return new ResourceConfiguration(
        items(at + ".resources", map.get("resources"), ConfigurationReader::text),
        items(at + ".providers", map.get("providers"), this::provider));
  }

  private ProviderConfiguration provider(String at, Node node) {
    MapNode map = object(at, node);
    rejectUnknown(at + ".", map, "aesgcm", "aescbc", "secretbox", "identity", "kms");
    boolean identity = present(map, "identity");
    if (identity) {
      String where = at + ".identity";
      rejectUnknown(where + ".", object(where, map.get("identity")));
    }
    return new ProviderConfiguration(
        keys(at, map, "aesgcm"),
        keys(at, map, "aescbc"),
        keys(at, map, "secretbox"),
        identity,
        present(map, "kms") ? kms(at + ".kms", object(at + ".kms", map.get("kms"))) : null);
  }

  private @Nullable Keys keys(String at, MapNode provider, String name) {
    if (!present(provider, name)) {
      return null;
    }
    String where = at + "." + name;
    MapNode map = object(where, provider.get(name));
    rejectUnknown(where + ".", map, "keys");
    return new Keys(items(where + ".keys", map.get("keys"), this::key));
  }

  private Key key(String at, Node node) {
    MapNode map = object(at, node);
    rejectUnknown(at + ".", map, "name", "secret");
    return new Key(optional(at + ".name", map, "name"), optional(at + ".secret", map, "secret"));
  }

  private KmsConfiguration kms(String at, MapNode map) {
    rejectUnknown(at + ".", map, "apiVersion", "name", "cachesize", "endpoint", "timeout");
    String version = optional(at + ".apiVersion", map, "apiVersion");
    return new KmsConfiguration(
        version.isEmpty() ? "v1" : version,
        optional(at + ".name", map, "name"),
        present(map, "cachesize") ? number(at + ".cachesize", map.get("cachesize")) : null,
        optional(at + ".endpoint", map, "endpoint"),
        present(map, "timeout") ? duration(at + ".timeout", map) : KMS_TIMEOUT);
  }

  private static Duration duration(String at, MapNode map) {
    String text = optional(at, map, "timeout");
    try {
      return GoDuration.parse(text).toDuration();
    } catch (ValueFormatException e) {
      throw new IllegalArgumentException(at + ": " + e.getMessage(), e);
    }
  }

  private static int number(String at, @Nullable Node node) {
    if (node instanceof Node.Int(long value) && value == (int) value) {
      return (int) value;
    }
    throw new IllegalArgumentException(at + ": expected a 32-bit integer");
  }

  private static boolean present(MapNode map, String field) {
    Node node = map.get(field);
    return node != null && !(node instanceof Node.Null);
  }

  private static String optional(String at, MapNode map, String field) {
    Node node = map.get(field);
    return present(map, field) && node != null ? text(at, node) : "";
  }

  private static String text(String at, Node node) {
    if (node instanceof Node.Text(String value)) {
      return value;
    }
    throw new IllegalArgumentException(at + ": expected a string");
  }

  private static MapNode object(String at, @Nullable Node node) {
    if (node instanceof MapNode map) {
      return map;
    }
    if (node == null || node instanceof Node.Null) {
      return MapNode.EMPTY;
    }
    throw new IllegalArgumentException(at + ": expected an object");
  }

  private static <T> List<T> items(
      String at, @Nullable Node node, BiFunction<String, Node, T> read) {
    if (node == null || node instanceof Node.Null) {
      return List.of();
    }
    if (!(node instanceof Node.Items(List<Node> values))) {
      throw new IllegalArgumentException(at + ": expected a list");
    }
    List<T> items = new ArrayList<>();
    for (Node value : values) {
      items.add(read.apply(at + "[" + items.size() + "]", value));
    }
    return items;
  }

  private void rejectUnknown(String at, MapNode map, String... fields) {
    Set<String> known = Set.of(fields);
    for (String key : map.keys()) {
      if (!known.contains(key)) {
        problems.add("unknown field " + GoQuote.quote(at + key));
      }
    }
  }
}
