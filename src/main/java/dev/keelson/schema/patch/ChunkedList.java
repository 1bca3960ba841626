package dev.keelson.schema.patch;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * A list for many inserts and removals at any place: its elements are in chunks, so that a change
 * moves no more than one chunk, not all elements behind it. Not safe for use by several threads.
 */
final class ChunkedList extends AbstractList<Object> {

  /** The elements of a full chunk, which is then split in two. */
  private static final int FULL = 1024;

  private final List<List<Object>> chunks = new ArrayList<>();
  private int size;

  /** Where the last search ended: within this chunk. */
  private int offset;

  ChunkedList(List<?> elements) {
    for (int i = 0; i < elements.size(); i += FULL / 2) {
      chunks.add(new ArrayList<>(elements.subList(i, Math.min(elements.size(), i + FULL / 2))));
    }
    size = elements.size();
  }

  /** The chunk of an element, or the last one for the end; sets {@link #offset}. */
  private int chunkOf(int index) {
    int before = 0;
    int chunk = 0;
    while (chunk < chunks.size() - 1 && index - before >= chunks.get(chunk).size()) {
      before += chunks.get(chunk++).size();
    }
    offset = index - before;
    return chunk;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public Object get(int index) {
    return chunks.get(chunkOf(index)).get(offset);
  }

  @Override
  public Object set(int index, Object value) {
    return chunks.get(chunkOf(index)).set(offset, value);
  }

  @Override
  public void add(int index, Object value) {
    if (chunks.isEmpty()) {
      chunks.add(new ArrayList<>());
    }
    int place = chunkOf(index);
    List<Object> chunk = chunks.get(place);
    chunk.add(offset, value);
    size++;
    if (chunk.size() >= FULL) {
      List<Object> second = chunk.subList(FULL / 2, chunk.size());
      chunks.add(place + 1, new ArrayList<>(second));
      second.clear();
    }
  }

  @Override
  public Object remove(int index) {
    int place = chunkOf(index);
    List<Object> chunk = chunks.get(place);
    Object removed = chunk.remove(offset);
    size--;
    if (chunk.isEmpty()) {
      List<Object> unused = chunks.remove(place);
    }
    return removed;
  }

  /** In time linear to the size; the inherited one searches for each element. */
  @Override
  public Iterator<Object> iterator() {
    return chunks.stream().flatMap(List::stream).iterator();
  }
}
