package dev.keelson.registry.write;

/** The part of an object that an update may change. */
public enum ObjectPart {
  /** All but the status, if the resource has a status subresource. */
  MAIN(""),
  /** The status alone. */
  STATUS("status"),
  /** The finalizers in a namespace's spec, beside the metadata. */
  FINALIZERS("finalize"),
  /** The number of replicas; the caller changes nothing else. */
  SCALE("scale"),
  /** The node of a pod; the caller changes nothing else. */
  BINDING("binding"),
  /** A requested rollback; the caller changes nothing else. */
  ROLLBACK("rollback"),
  /** A pod's ephemeral containers alone. */
  EPHEMERAL_CONTAINERS("ephemeralcontainers"),
  /** The resources of a pod's containers alone. */
  RESIZE("resize"),
  /** The conditions of a certificate signing request alone. */
  APPROVAL("approval");

  private final String subresource;

  ObjectPart(String subresource) {
    this.subresource = subresource;
  }

  /**
   * The part that an update through a subresource changes.
   *
   * @param subresource empty for the main resource
   * @throws IllegalArgumentException if the subresource changes no part
   */
  public static ObjectPart of(String subresource) {
    for (ObjectPart part : values()) {
      if (part.subresource.equals(subresource)) {
        return part;
      }
    }
    throw new IllegalArgumentException("no part is changed by " + subresource);
  }

  /** The subresource that changes this part; empty for the main resource. */
  public String subresource() {
    return subresource;
  }
}
