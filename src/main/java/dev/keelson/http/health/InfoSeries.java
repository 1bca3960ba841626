package dev.keelson.http.health;

import java.util.List;

/** The series of a metric whose values are all 1: their labels are what they tell. */
public interface InfoSeries {

  /** Adds a series, which may be there already. */
  void add(List<String> labels);

  /** Removes a series, if it is there. */
  void remove(List<String> labels);
}
