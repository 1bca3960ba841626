package dev.keelson.api;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/**
 * The causes of one error, bounded in number and size: an object of some megabytes can have
 * hundreds of thousands, each with its value. The first ones are kept as they are; the last element
 * says how many were left out. Kubernetes has no bound. Used by one thread.
 */
public final class CauseList extends AbstractList<FieldCause> {

  /** Maximum number of causes. */
  public static final int MOST = 64;

  /** Maximum characters of all messages and fields; the cause that passes it is cut. */
  public static final int MOST_CHARACTERS = 1 << 17;

  private final List<FieldCause> kept = new ArrayList<>();
  private int characters;
  private long omitted;

  /** The bounded form of {@code causes}. */
  public static List<FieldCause> of(List<FieldCause> causes) {
    if (causes.isEmpty()) {
      return List.of();
    }
    CauseList list = new CauseList();
    list.addAll(causes);
    return List.copyOf(list);
  }

  /** Whether further causes are only counted, so that their text need not be built. */
  public boolean full() {
    return kept.size() >= MOST || characters >= MOST_CHARACTERS;
  }

  /** Adds a cause, or counts it. */
  @Override
  public boolean add(FieldCause cause) {
    long more = cause.omitted();
    if (more > 0) {
      omit(more);
    } else if (full()) {
      omit(1);
    } else {
      FieldCause shown = cause.cut(MOST_CHARACTERS - characters);
      characters += shown.message().length() + shown.field().length();
      kept.add(shown);
    }
    return true;
  }

  /** Counts causes that are not told. */
  public void omit(long count) {
    omitted += count;
  }

  @Override
  public FieldCause get(int index) {
    return index == kept.size() && omitted > 0 ? FieldCause.more(omitted) : kept.get(index);
  }

  @Override
  public int size() {
    return kept.size() + (omitted > 0 ? 1 : 0);
  }
}
