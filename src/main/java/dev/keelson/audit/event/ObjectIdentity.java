package dev.keelson.audit.event;

/** The metadata by which an object is identified; absent fields are empty. */
public record ObjectIdentity(String namespace, String name, String uid, String resourceVersion) {

  /** An object that says nothing. */
  public static final ObjectIdentity NONE = new ObjectIdentity("", "", "", "");
}
