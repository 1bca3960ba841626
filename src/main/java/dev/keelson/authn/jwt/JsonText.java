package dev.keelson.authn.jwt;

import java.util.Map;
import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;

/** JSON objects as maps, for what identity providers and webhooks say. */
public final class JsonText {

  private JsonText() {}

  /**
   * Reads an object; a name that appears twice is refused.
   *
   * @throws InvalidJwtException if the text is no JSON object
   */
  public static Map<String, Object> object(String json) throws InvalidJwtException {
    try {
      return JsonUtil.parseJson(json);
    } catch (JoseException e) {
      throw new InvalidJwtException("no JSON object: " + e.getMessage(), e);
    }
  }

  /** Writes texts, numbers, booleans, lists and maps. */
  public static String write(Map<String, Object> object) {
    return JsonUtil.toJson(object);
  }
}
