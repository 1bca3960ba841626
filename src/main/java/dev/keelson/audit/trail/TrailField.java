package dev.keelson.audit.trail;

import java.util.Optional;
import java.util.stream.Stream;

/** What an event can be selected by; each is a column of the trail. */
public enum TrailField {
  AUDIT_ID("auditID", "audit_id", Match.EXACT),
  STAGE("stage", "stage", Match.EXACT),
  LEVEL("level", "level", Match.EXACT),
  /** The authenticated user. */
  USER("user", "username", Match.EXACT),
  /** The user that the request acted as. */
  IMPERSONATED_USER("impersonatedUser", "impersonated", Match.EXACT),
  GROUP("group", "user_groups", Match.ONE_OF),
  VERB("verb", "verb", Match.EXACT),
  API_GROUP("apiGroup", "api_group", Match.EXACT),
  RESOURCE("resource", "resource", Match.EXACT),
  SUBRESOURCE("subresource", "subresource", Match.EXACT),
  NAMESPACE("namespace", "namespace", Match.EXACT),
  NAME("name", "name", Match.EXACT),
  UID("uid", "uid", Match.EXACT),
  CODE("code", "code", Match.EXACT),
  /** The decision of the authorization: allow or forbid. */
  DECISION("decision", "decision", Match.EXACT),
  SOURCE_IP("sourceIP", "source_ips", Match.ONE_OF),
  /** The whole header, or the product before its first slash. */
  USER_AGENT("userAgent", "user_agent", Match.PRODUCT);

  /** How a column is compared with a value. */
  public enum Match {
    /** The column is the value. */
    EXACT,
    /** The column is a list that has the value. */
    ONE_OF,
    /** The column is the value, or begins with the value and a slash. */
    PRODUCT
  }

  private final String label;
  private final String column;
  private final Match match;

  TrailField(String label, String column, Match match) {
    this.label = label;
    this.column = column;
    this.match = match;
  }

  /** The name in field selectors. */
  public String label() {
    return label;
  }

  /** The name of the column. */
  public String column() {
    return column;
  }

  /** How the column is compared. */
  public Match match() {
    return match;
  }

  /** The field of a selector's name, or empty. */
  public static Optional<TrailField> of(String label) {
    return Stream.of(values()).filter(field -> field.label.equals(label)).findFirst();
  }
}
