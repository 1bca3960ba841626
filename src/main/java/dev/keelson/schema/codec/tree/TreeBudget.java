package dev.keelson.schema.codec.tree;

import dev.keelson.schema.codec.tree.DecodeException.Fault;

/**
 * Bounds the tree of one request's body: two bytes of a list of empty objects become some hundred
 * in memory, once their defaults are set. Used by one thread.
 */
public final class TreeBudget {

  /** The bytes of an object or array with its defaults: measured for containers of a pod. */
  private static final int CONTAINER = 384;

  /** The bytes of a string, number or literal with its place in its container. */
  private static final int SCALAR = 64;

  /** Bodies up to this size are small in any memory. */
  private static final int SMALL = 64 * 1024;

  /** A tree may take this part of the memory: a quarter. */
  private static final int PART = 4;

  private final long all;
  private long left;

  /**
   * A budget for one document.
   *
   * @param bytes estimated size of the largest tree
   */
  public TreeBudget(long bytes) {
    this.all = bytes;
    this.left = bytes;
  }

  /** A budget without bound: for what the server itself has stored. */
  public static TreeBudget unbounded() {
    return new TreeBudget(Long.MAX_VALUE);
  }

  /**
   * The budget for a body from a client: a quarter of this process' memory.
   *
   * @param length of the body in bytes
   */
  public static TreeBudget forBody(int length) {
    return length <= SMALL ? unbounded() : new TreeBudget(Runtime.getRuntime().maxMemory() / PART);
  }

  /** The same budget for another reading of the document. */
  public TreeBudget again() {
    return new TreeBudget(all);
  }

  /**
   * Counts an object or array.
   *
   * @throws DecodeException of fault SIZE beyond the bound
   */
  public void container() {
    spend(CONTAINER);
  }

  /**
   * Counts a value that is neither an object nor an array.
   *
   * @throws DecodeException of fault SIZE beyond the bound
   */
  public void scalar() {
    spend(SCALAR);
  }

  private void spend(int bytes) {
    left -= bytes;
    if (left < 0) {
      throw new DecodeException(
          Fault.SIZE,
          "Request entity too large: its objects and values take more than "
              + (all >> 20)
              + " MiB of this server's memory; send fewer elements");
    }
  }
}
