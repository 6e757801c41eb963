/* -*- c++ -*- A thread that does one task after the other. A new thread for each task would be simpler, but CUDA keeps some
   memory for every thread that has ever called it.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_WORKER_THREAD_H
#define LMP_DPDSOP_WORKER_THREAD_H

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace LAMMPS_NS {

class WorkerThread {
 public:
  WorkerThread() : started(false), busy(false), ends(false) {}
  ~WorkerThread();
  WorkerThread(const WorkerThread &) = delete;
  WorkerThread &operator=(const WorkerThread &) = delete;

  // A task has to be waited for before the next one is started. Tasks must not throw

  void start(const std::function<void()> &);
  bool has_task() const { return started; }    // one that has not been waited for
  void wait();                                 // nothing to do if there is none

 private:
  std::thread thread;
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> task;
  bool started, busy, ends;

  void work();
};

inline WorkerThread::~WorkerThread()
{
  wait();
  if (!thread.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    ends = true;
  }
  changed.notify_all();
  thread.join();
}

inline void WorkerThread::start(const std::function<void()> &what)
{
  wait();
  {
    const std::lock_guard<std::mutex> lock(mutex);
    task = what;
    busy = started = true;
  }
  if (thread.joinable())
    changed.notify_all();
  else
    thread = std::thread([this]() { work(); });
}

inline void WorkerThread::wait()
{
  if (!started) return;
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [this]() { return !busy; });
  started = false;
}

inline void WorkerThread::work()
{
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [this]() { return busy || ends; });
    if (!busy) return;
    lock.unlock();
    task();
    lock.lock();
    busy = false;
    changed.notify_all();
  }
}

}    // namespace LAMMPS_NS

#endif
