package dev.keelson.http.media;

/** A serialization of objects. */
public enum Format {
  JSON("application", "json"),
  YAML("application", "yaml");

  private final String type;
  private final String subtype;

  Format(String type, String subtype) {
    this.type = type;
    this.subtype = subtype;
  }

  /** The media type. */
  public String mediaType() {
    return type + "/" + subtype;
  }

  boolean matches(MediaType range) {
    return range.includes(type, subtype);
  }
}
