package dev.keelson.controller;

/** A part that brings about what objects of some resources ask for. */
public interface Controller extends QueueOwner, AutoCloseable {

  /** Starts; called once. Waits until the objects are known, and returns with the workers begun. */
  void start() throws InterruptedException;

  /** Ends the workers; also without a start, and while one waits. */
  @Override
  void close();
}
