package dev.keelson.schema.validation;

import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** ConfigMaps and Secrets: keys, size, what a type of secret must hold, and immutable ones. */
final class ConfigRules {

  private static final int MAX_BYTES = 1024 * 1024;
  private static final String FROZEN = "field is immutable when `immutable` is set";

  private ConfigRules() {}

  static void addTo(Map<String, TypeRules> rules) {
    rules.put("/ConfigMap", new ConfigMap());
    rules.put("/Secret", new Secret());
  }

  private static void keys(Value data) {
    MapNode map = data.map();
    for (int i = 0; i < map.size(); i++) {
      String problem = Formats.CONFIG_KEY.apply(map.keyAt(i));
      if (!problem.isEmpty()) {
        data.key(map.keyAt(i)).invalid(map.keyAt(i), problem);
      }
    }
  }

  private static long textBytes(Value data) {
    long bytes = 0;
    MapNode map = data.map();
    for (int i = 0; i < map.size(); i++) {
      if (map.valueAt(i) instanceof Node.Text text) {
        String value = text.value();
        // the exact count matters only where the cheap bound could be exceeded
        bytes +=
            value.length() * 3L > MAX_BYTES
                ? value.getBytes(StandardCharsets.UTF_8).length
                : utf8Length(value);
      }
    }
    return bytes;
  }

  private static long utf8Length(String text) {
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        // each half of a surrogate pair counts for two of the four bytes
        bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
      }
    }
    return bytes;
  }

  /** The bytes that base64 stands for. */
  private static long binaryBytes(Value data) {
    long bytes = 0;
    MapNode map = data.map();
    for (int i = 0; i < map.size(); i++) {
      if (map.valueAt(i) instanceof Node.Text text) {
        String value = text.value();
        int padding = value.endsWith("==") ? 2 : value.endsWith("=") ? 1 : 0;
        bytes += value.length() / 4 * 3L - padding;
      }
    }
    return bytes;
  }

  /** Once {@code immutable} is set it stays, and so do {@code fields}. */
  private static void frozen(Value object, Value old, String... fields) {
    if (!old.get("immutable").flag()) {
      return;
    }
    if (!object.get("immutable").flag()) {
      object.get("immutable").forbidden(FROZEN);
    }
    for (String field : fields) {
      Value now = object.get(field);
      if (now.size() + old.get(field).size() > 0 && !now.sameAs(old.get(field))) {
        now.forbidden(FROZEN);
      }
    }
  }

  private record ConfigMap() implements TypeRules {
    @Override
    public void check(Value object) {
      Value data = object.get("data");
      Value binary = object.get("binaryData");
      if (binary.size() == 0) {
        keys(data);
      }
      for (Value entry : binary.size() == 0 ? binary : data) {
        entry.holding(Node.text(entry.name())).as(Formats.CONFIG_KEY);
        if (binary.map().has(entry.name())) {
          entry.invalid(entry.name(), "duplicate of key present in binaryData");
        }
      }
      keys(binary);
      if (textBytes(data) + binaryBytes(binary) > MAX_BYTES) {
        object.get("[]").tooLong(MAX_BYTES);
      }
    }

    @Override
    public void changed(Value object, Value old) {
      frozen(object, old, "data", "binaryData");
    }

    @Override
    public boolean tellsOfTheChangeFirst() {
      return true;
    }
  }

  private record Secret() implements TypeRules {
    private static final String GO_MAP =
        "json: cannot unmarshal %s into Go value of type map[string]interface {}";

    @Override
    public void check(Value object) {
      Value data = object.get("data");
      keys(data);
      keys(object.get("stringData"));
      if (binaryBytes(data) + textBytes(object.get("stringData")) > MAX_BYTES) {
        data.tooLong(MAX_BYTES);
      }
      type(object, data);
    }

    private static void type(Value object, Value data) {
      switch (object.get("type").text()) {
        case "kubernetes.io/service-account-token" ->
            object
                .get("metadata", "annotations")
                .key("kubernetes.io/service-account.name")
                .needed();
        case "kubernetes.io/dockercfg" -> holdsJson(object, ".dockercfg");
        case "kubernetes.io/dockerconfigjson" -> holdsJson(object, ".dockerconfigjson");
        case "kubernetes.io/basic-auth" -> {
          if (!has(object, "username") && !has(object, "password")) {
            data.key("username").required();
            data.key("password").required();
          }
        }
        case "kubernetes.io/ssh-auth" -> holds(object, "ssh-privatekey");
        case "kubernetes.io/tls" -> {
          holds(object, "tls.crt");
          holds(object, "tls.key");
        }
        default -> {}
      }
    }

    /** A JSON object must be there; that it begins as one is all that is looked at. */
    private static void holdsJson(Value object, String key) {
      holds(object, key);
      Value value = object.get("data").key(key);
      if (!(value.node() instanceof Node.Text text)) {
        return;
      }
      String json =
          new String(java.util.Base64.getMimeDecoder().decode(text.value()), StandardCharsets.UTF_8)
              .strip();
      String problem =
          switch (json.isEmpty() ? ' ' : json.charAt(0)) {
            case '{' -> "";
            case ' ' -> "unexpected end of JSON input";
            case '[' -> GO_MAP.formatted("array");
            case '"' -> GO_MAP.formatted("string");
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' ->
                GO_MAP.formatted("number");
            default -> "invalid character '" + json.charAt(0) + "' looking for beginning of value";
          };
      if (!problem.isEmpty()) {
        value.invalid("<secret contents redacted>", problem);
      }
    }

    private static void holds(Value object, String key) {
      if (!has(object, key)) {
        object.get("data").key(key).required();
      }
    }

    private static boolean has(Value object, String key) {
      return object.get("data").map().has(key) || object.get("stringData").map().has(key);
    }

    @Override
    public void changed(Value object, Value old) {
      // a replace without a type means the default one
      Value type = object.get("type");
      if (type.filled() || !old.get("type").is("Opaque")) {
        Labels.orEmpty(type).immutable(Labels.orEmpty(old.get("type")));
      }
      frozen(object, old, "data");
    }

    @Override
    public boolean tellsOfTheChangeFirst() {
      return true;
    }
  }
}
