package dev.keelson.authn.jwt;

import java.util.Map;
import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;

/** Parses and writes JSON objects as maps, for the responses of identity providers and webhooks. */
public final class JsonText {

  private JsonText() {}

  /**
   * Parses an object; rejects duplicate names.
   *
   * @throws InvalidJwtException if the text is not a JSON object
   */
  public static Map<String, Object> object(String json) throws InvalidJwtException {
    try {
      return JsonUtil.parseJson(json);
    } catch (JoseException e) {
      throw new InvalidJwtException("not a JSON object: " + e.getMessage(), e);
    }
  }

  /** Writes strings, numbers, booleans, lists and maps. */
  public static String write(Map<String, Object> object) {
    return JsonUtil.toJson(object);
  }
}
