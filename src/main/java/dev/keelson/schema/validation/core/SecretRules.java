package dev.keelson.schema.validation.core;

import dev.keelson.object.Node;
import dev.keelson.pem.PemKeyPairs;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.JsonSyntax;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Consumer;

/** Secrets, and what each type of secret must hold. */
final class SecretRules implements KindRules {
  private static final String GO_MAP =
      "json: cannot unmarshal %s into Go value of type map[string]interface {}";

  @Override
  public void validate(Value object) {
    Value data = object.get("data");
    ConfigDataRules.validateKeys(data);
    ConfigDataRules.validateKeys(object.get("stringData"));
    if (ConfigDataRules.binaryBytes(data) + ConfigDataRules.textBytes(object.get("stringData"))
        > ConfigDataRules.MAX_BYTES) {
      data.tooLong(ConfigDataRules.MAX_BYTES);
    }
    type(object, data);
  }

  private static void type(Value object, Value data) {
    switch (object.get("type").text()) {
      case "kubernetes.io/service-account-token" ->
          object.get("metadata", "annotations").key("kubernetes.io/service-account.name").needed();
      case "kubernetes.io/dockercfg" -> holdsJson(object, ".dockercfg");
      case "kubernetes.io/dockerconfigjson" -> holdsJson(object, ".dockerconfigjson");
      case "kubernetes.io/basic-auth" -> {
        if (!has(object, "username") && !has(object, "password")) {
          data.key("username").required();
          data.key("password").required();
        }
      }
      case "kubernetes.io/ssh-auth" -> {
        if (!object.get("stringData").key("ssh-privatekey").filled()) {
          data.key("ssh-privatekey").needed();
        }
      }
      case "kubernetes.io/tls" -> {
        holds(object, "tls.crt");
        holds(object, "tls.key");
      }
      default -> {}
    }
  }

  /** A JSON object must be there; Go takes null for one. */
  private static void holdsJson(Value object, String key) {
    holds(object, key);
    Value value = object.get("data").key(key);
    if (!(value.node() instanceof Node.Text text)) {
      return;
    }
    byte[] json = Base64.getMimeDecoder().decode(text.value());
    String problem = JsonSyntax.problem(json);
    if (problem.isEmpty()) {
      problem = notAnObject(new String(json, StandardCharsets.UTF_8).strip().charAt(0));
    }
    if (!problem.isEmpty()) {
      value.invalid("<secret contents redacted>", problem);
    }
  }

  private static String notAnObject(char first) {
    return switch (first) {
      case '{', 'n' -> "";
      case '[' -> GO_MAP.formatted("array");
      case '"' -> GO_MAP.formatted("string");
      case 't', 'f' -> GO_MAP.formatted("bool");
      default -> GO_MAP.formatted("number");
    };
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
  public void validateUpdate(Value object, Value old) {
    // a replace without a type means the default one
    Value type = object.get("type");
    if (type.filled() || !old.get("type").is("Opaque")) {
      type.orEmpty().immutable(old.get("type").orEmpty());
    }
    ConfigDataRules.validateImmutableData(object, old, "data");
  }

  @Override
  public boolean validatesUpdateFirst() {
    return true;
  }

  /** Warns about a key that is not that of the certificate (source: warningsForSecret). */
  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    if (object.get("type").is("kubernetes.io/tls")) {
      Value data = object.get("data");
      String problem = PemKeyPairs.problem(pem(data.key("tls.crt")), pem(data.key("tls.key")));
      if (!problem.isEmpty()) {
        warnings.accept(problem);
      }
    }
  }

  /** The text that base64 stands for; PEM has only characters of ASCII. */
  private static String pem(Value base64) {
    return new String(Base64.getMimeDecoder().decode(base64.text()), StandardCharsets.ISO_8859_1);
  }
}
